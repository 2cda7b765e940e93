import { Buffer } from 'node:buffer';
import { findMarks } from './find-marks.ts';
import { PLACES_OF_MEMBER, readMemberPlaces, type MemberPlaces } from './member-places.ts';

const BACKSLASH = 0x5c;
/** Bytes that JSON needs at most for one UTF-16 unit of a name: `\\u0061`. */
const MAX_UNIT_BYTES = 6;
const OPEN_BRACE = 0x7b;

/** Text that takes the place of some bytes of an object. Offsets are those of the object. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Changes to the members of an object. */
export interface MemberEdits {
  /** Members that are taken out. */
  drops: readonly string[];
  /** New values as JSON text, of members that are there and of others. They win over `drops`. */
  changes: Readonly<Record<string, string>>;
  /** Edits inside of members that neither of the others names. */
  inside?: readonly Edit[];
}

/**
 * A JSON object as its bytes. Editing leaves every other byte as it is: numbers of any precision, spacing and key order
 * survive, which parsing and re-serialising would not promise.
 */
export class JsonObjectBytes {
  readonly bytes: Buffer;
  #places: MemberPlaces | null;

  /**
   * @param bytes a valid JSON object, checked by the caller's JSON.parse
   * @param places the offsets of its members, if known; finding them scans the whole object
   */
  constructor(bytes: Buffer, places: MemberPlaces | null = null) {
    this.bytes = bytes;
    this.#places = places;
  }

  /** False if no member has this name; true if one may have it. */
  mayHave(name: string): boolean {
    if (this.#places !== null) return this.#find(name) >= 0;
    const mark = `"${name}"`;
    return this.bytes.includes(mark) || findMarks(this.bytes, [mark]) === null;
  }

  /** Where the value of a member is; null if no member has this name. */
  findPlace(name: string): { start: number; end: number } | null {
    const at = this.#find(name);
    const places = this.#read();
    return at < 0 ? null : { start: places[at + 2] ?? 0, end: places[at + 3] ?? 0 };
  }

  /** The JSON text of a member: the last if it is repeated. */
  getText(name: string): string | undefined {
    const place = this.findPlace(name);
    return place === null ? undefined : this.bytes.toString('utf8', place.start, place.end);
  }

  /** @returns the edited object; these bytes if nothing changes */
  edit(changes: MemberEdits): Buffer {
    const edits = this.listEdits(changes);
    if (edits.length === 0) return this.bytes;
    let size = this.bytes.length;
    for (const { start, end, text } of edits) size += Buffer.byteLength(text) - (end - start);
    const edited = Buffer.allocUnsafe(size);
    let from = 0;
    let to = 0;
    for (const { start, end, text } of edits) {
      to += this.bytes.copy(edited, to, from, start);
      to += edited.write(text, to);
      from = end;
    }
    this.bytes.copy(edited, to, from);
    return edited;
  }

  /** The same without copying what stays. @returns pieces, most of them views of these bytes */
  editInPieces(changes: MemberEdits): Buffer[] {
    const pieces: Buffer[] = [];
    let from = 0;
    for (const { start, end, text } of this.listEdits(changes)) {
      if (start > from) pieces.push(this.bytes.subarray(from, start));
      if (text !== '') pieces.push(Buffer.from(text));
      from = end;
    }
    pieces.push(this.bytes.subarray(from));
    return pieces;
  }

  /** @returns edits in the order of the bytes */
  listEdits({ drops, changes, inside }: MemberEdits): Edit[] {
    const json = this.bytes;
    const places = this.#read();
    const first = json.indexOf(OPEN_BRACE) + 1;
    const names = Object.keys(changes);
    const dropped = drops.length === 0 ? null : new Set<unknown>(drops);
    const missing = [...names];
    const edits: Edit[] = [];
    /** The offset behind the last member that stays, or was taken out after one that stays. */
    let keptEnd = -1;
    for (let at = 0; at < places.length; at += PLACES_OF_MEMBER) {
      const name = names.find((known) => isNamed(json, places, at, known));
      const start = places[at + 2] ?? 0;
      const end = places[at + 3] ?? 0;
      if (name === undefined && dropped?.has(readName(json, places, at)) === true) {
        edits.push(createDrop(places, at, keptEnd < 0 ? { first } : { keptEnd }));
        if (keptEnd >= 0) keptEnd = end;
        continue;
      }
      keptEnd = end;
      if (name === undefined) continue;
      const found = missing.indexOf(name);
      if (found >= 0) missing.splice(found, 1);
      const text = changes[name] ?? '';
      if (!isText(json, start, end, text)) edits.push({ start, end, text });
    }
    if (missing.length > 0) {
      const added = missing.map((name) => `${JSON.stringify(name)}:${changes[name]}`).join(',');
      edits.unshift({ start: first, end: first, text: keptEnd >= 0 ? `${added},` : added });
    }
    if (inside === undefined || inside.length === 0) return edits;
    return [...edits, ...inside].toSorted((one, other) => one.start - other.start);
  }

  #read(): MemberPlaces {
    return (this.#places ??= readMemberPlaces(this.bytes));
  }

  /** @returns the index of the member's first place; -1 if it has none */
  #find(name: string): number {
    const places = this.#read();
    for (let at = places.length - PLACES_OF_MEMBER; at >= 0; at -= PLACES_OF_MEMBER)
      if (isNamed(this.bytes, places, at, name)) return at;
    return -1;
  }
}

/** Takes a member out with the comma before it, or with the one after it if no member before it stays. */
function createDrop(places: MemberPlaces, at: number, place: { first: number } | { keptEnd: number }): Edit {
  const valueEnd = places[at + 3] ?? 0;
  if ('keptEnd' in place) return { start: place.keptEnd, end: valueEnd, text: '' };
  const start = at === 0 ? place.first : (places[at] ?? 0);
  return { start, end: places[at + PLACES_OF_MEMBER] ?? valueEnd, text: '' };
}

/** @param at the index of the member's first place */
function readName(json: Buffer, places: MemberPlaces, at: number): unknown {
  const [start, end] = [places[at] ?? 0, places[at + 1] ?? 0];
  const text = json.toString('utf8', start + 1, end - 1);
  return text.includes('\\') ? JSON.parse(json.toString('utf8', start, end)) : text;
}

/** @param at the index of the member's first place */
function isNamed(json: Buffer, places: MemberPlaces, at: number, name: string): boolean {
  const start = places[at] ?? 0;
  const end = places[at + 1] ?? 0;
  const bytes = end - start - 2;
  if (bytes < name.length || bytes > name.length * MAX_UNIT_BYTES) return false;
  if (isText(json, start + 1, end - 1, name)) return true;
  // A name with escapes must be decoded.
  for (let offset = start + 1; offset < end; offset += 1)
    if (json[offset] === BACKSLASH) return JSON.parse(json.toString('utf8', start, end)) === name;
  return false;
}

/**
 * Replaces or adds members at the top level of a JSON object. If every member has its new value already, returns the same
 * bytes.
 * @param json a valid JSON object, checked by the caller's JSON.parse
 * @param changes member name to new value, as JSON text
 */
export function editJsonMembers(json: Buffer, changes: Readonly<Record<string, string>>): Buffer {
  return new JsonObjectBytes(json).edit({ drops: [], changes });
}

/**
 * Takes members out of the top level of a JSON object; every other member keeps its bytes.
 * @param json a valid JSON object, checked by the caller's JSON.parse
 * @returns the object without them, and the JSON text of each removed member: the last if it is repeated
 */
export function takeJsonMembers(
  json: Buffer,
  names: readonly string[],
): { rest: Buffer; taken: Readonly<Record<string, string>> } {
  const object = new JsonObjectBytes(json);
  const taken: Record<string, string> = {};
  for (const name of names) {
    const text = object.getText(name);
    if (text !== undefined) taken[name] = text;
  }
  return { rest: object.edit({ drops: names, changes: {} }), taken };
}

/** True if the bytes are the text, in UTF-8. */
function isText(json: Buffer, start: number, end: number, text: string): boolean {
  if (end - start < text.length) return false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x80) return json.toString('utf8', start, end) === text;
    if (json[start + at] !== unit) return false;
  }
  return end - start === text.length;
}
