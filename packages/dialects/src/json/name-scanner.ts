import { Buffer } from 'node:buffer';
import { endOfString } from './end-of-string.ts';
import { foldName } from './fold-name.ts';
import { findByHash, findKnownMember, HASH_START, hashOfName, hashStep } from './known-names.ts';
import { METADATA_MEMBER, type KnownMember, type ObjectKind } from './request-members.ts';
import { SeenNames } from './seen-names.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
// oxlint-disable-next-line no-control-regex -- some readers end a name at a NUL
const CONTROL = /[\u0000-\u001f\u007f]/;

const NO_BYTES = Buffer.alloc(0);

/** Which object a name is of. */
export interface NamePlace {
  kind: ObjectKind;
  isOfBody: boolean;
}

/** Reads the member names of a body and finds names that readers disagree on. */
export class NameScanner {
  #json: Buffer = NO_BYTES;
  readonly #seen = new SeenNames();
  /** The name that is read, as it is compared, and its offset; -1: its text was not needed yet. */
  #comparedAt = -1;
  #compared = '';
  readonly #exactAt = (start: number): string =>
    start === this.#comparedAt ? this.#compared : this.textAt(start);
  readonly #foldedAt = (start: number): string =>
    start === this.#comparedAt ? this.#compared : foldName(this.textAt(start));
  /** The offset behind the last name. */
  end = 0;
  /** The known member that the last name of an API object matches. */
  known: KnownMember | undefined = undefined;

  /** Begins with another body. */
  begin(json: Buffer): void {
    this.#json = json;
    this.#seen.clear();
    this.#comparedAt = -1;
  }

  get count(): number {
    return this.#seen.count;
  }

  /** The innermost object is over. */
  close(base: number): void {
    this.#seen.close(base);
  }

  /** @returns a name, decoded */
  textAt(start: number): string {
    const json = this.#json;
    const end = endOfString(json, start);
    let isAscii = true;
    for (let at = start + 1; at < end - 1; at += 1) {
      const byte = json[at] ?? 0;
      if (byte === BACKSLASH || byte < 0x20) {
        const text: unknown = JSON.parse(json.toString('utf8', start, end));
        return String(text);
      }
      if (byte >= 0x80) isAscii = false;
    }
    return json.toString(isAscii ? 'latin1' : 'utf8', start + 1, end - 1);
  }

  /**
   * Reads a name.
   * @param start the offset of its opening quote
   * @param base the `count` when its object was opened
   * @returns what is wrong with it; null: nothing
   */
  read(start: number, place: NamePlace, base: number): string | null {
    const json = this.#json;
    let hash = HASH_START;
    let at = start + 1;
    let isPlain = true;
    for (;;) {
      const byte = json[at] ?? 0;
      if (byte === QUOTE) break;
      // Upper case, escapes and other scripts are compared as text.
      if (byte === BACKSLASH || byte >= 0x80 || byte < 0x20 || (byte >= 0x41 && byte <= 0x5a)) {
        isPlain = false;
        break;
      }
      hash = hashStep(hash, byte);
      at += 1;
    }
    this.known = undefined;
    if (!isPlain) return this.#readOdd(start, place, base);
    this.end = at + 1;
    if (this.#isText(start, '__proto__')) return 'is not allowed as a name.';
    if (place.kind === 'strict') {
      const known = findByHash(hash);
      if (known !== undefined && this.#isText(start, known.name)) this.known = known;
      else if (place.isOfBody || known !== undefined) {
        const text = json.toString('latin1', start + 1, at);
        const error = this.#checkSpelling(text, text, place);
        if (error !== null) return error;
        this.#compared = text;
        this.#comparedAt = start;
      }
    }
    return this.#note(base, hash, start, place.kind);
  }

  /** Reads a name with escapes, upper case or letters outside ASCII. */
  #readOdd(start: number, place: NamePlace, base: number): string | null {
    const isFree = place.kind === 'free';
    this.end = endOfString(this.#json, start);
    let text: string;
    try {
      text = this.textAt(start);
    } catch {
      return 'malformed';
    }
    if (text === '__proto__') return 'is not allowed as a name.';
    const compared = isFree ? text : foldName(text);
    if (!isFree) {
      const error = CONTROL.test(text)
        ? 'contains a control character in its name.'
        : this.#checkSpelling(text, compared, place, this.end - start - 2);
      if (error !== null) return error;
    }
    this.#compared = compared;
    this.#comparedAt = start;
    return this.#note(base, hashOfName(compared), start, place.kind);
  }

  /**
   * @param folded the name, as `foldName` returns it
   * @param written bytes of the name in the body, to find escapes in it
   */
  #checkSpelling(
    text: string,
    folded: string,
    { kind, isOfBody }: NamePlace,
    written = text.length,
  ): string | null {
    const known = findKnownMember(folded, isOfBody);
    if (known === undefined || (kind === 'folded' && known.name !== METADATA_MEMBER)) return null;
    this.known = known;
    if (text !== known.name)
      return `must be written as ${known.name}: some providers read both as the same parameter.`;
    return written === text.length ? null : `must be written as ${known.name}, without escapes.`;
  }

  #note(base: number, hash: number, start: number, kind: ObjectKind): string | null {
    const isFree = kind === 'free';
    if (this.#seen.add(base, hash, start, isFree ? this.#exactAt : this.#foldedAt)) return null;
    return isFree
      ? 'appears twice in its object.'
      : 'appears twice in its object (upper and lower case count as the same name).';
  }

  #isText(start: number, text: string): boolean {
    if (this.end - start - 2 !== text.length) return false;
    for (let at = 0; at < text.length; at += 1)
      if (this.#json[start + 1 + at] !== text.charCodeAt(at)) return false;
    return true;
  }
}
