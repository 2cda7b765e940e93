import { Buffer } from 'node:buffer';
import { BODY_LIMITS } from '@tollgate/core/requests/body-limits';
import { deny, type GatewayError } from '@tollgate/core/errors/errors';
import { readNumber, type NumberForm } from './end-of-number.ts';
import { endOfString } from './end-of-string.ts';
import { NameScanner } from './name-scanner.ts';
import { replaceLoneSurrogates } from './replace-lone-surrogates.ts';
import type { ObjectKind } from './request-members.ts';

/** Those limits that hold before a body is parsed. */
export type ScanLimits = Pick<typeof BODY_LIMITS, 'maxDepth' | 'maxValues' | 'maxMembers'>;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const MINUS = 0x2d;
const MAX_PARAM = 200;
/** A number of fewer characters without an exponent fits a double. */
const PLAIN_NUMBER = 300;

/**
 * Checks in one pass over its bytes that a body has one meaning for every JSON reader, before it is parsed: bounded depth
 * and size, no name twice in an object, and in objects of the API no name that a case-insensitive reader takes for
 * another one. Names in the caller's own data (schemas, inputs of tools, metadata) may differ in case.
 *
 * It relies on a later `JSON.parse` to verify that the bytes are JSON: it refuses what it cannot follow.
 * @param json halves of surrogate pairs in it are replaced, in place
 * @returns null if the body may be parsed
 */
export function scanBody(json: Buffer, limits: ScanLimits = BODY_LIMITS): GatewayError | null {
  replaceLoneSurrogates(json);
  const error = scan.run(json, limits);
  scan.forget();
  return error;
}

const STOP = -1;
const NO_BYTES = Buffer.alloc(0);

class BodyScan {
  #json: Buffer = NO_BYTES;
  #limits: ScanLimits = BODY_LIMITS;
  readonly #names = new NameScanner();
  readonly #kinds: (ObjectKind | 'list')[] = [];
  /** The kind of an object in the current value of each open level. */
  readonly #inner: ObjectKind[] = [];
  /** How many names stood in all outer objects when the level was opened. */
  readonly #bases: number[] = [];
  /** Offset of the current name; in a list, the index of the current entry. */
  readonly #places: number[] = [];
  readonly #number: NumberForm = { end: 0, isFloat: false };
  #depth = 0;
  #values = 0;
  #members = 0;
  #wantsValue = true;
  /** The next value belongs to a member that takes whole numbers only. */
  #isWhole = false;
  #error: GatewayError | null = null;

  run(json: Buffer, limits: ScanLimits): GatewayError | null {
    this.#json = json;
    this.#limits = limits;
    this.#names.begin(json);
    this.#depth = 0;
    this.#values = 0;
    this.#members = 0;
    this.#wantsValue = true;
    this.#isWhole = false;
    this.#error = null;
    let at = this.#skipSpace(0);
    while (at !== STOP) at = this.#wantsValue ? this.#readValue(at) : this.#leaveValue(this.#skipSpace(at));
    return this.#error;
  }

  /** Holds on to no body. */
  forget(): void {
    this.#json = NO_BYTES;
    this.#names.begin(NO_BYTES);
  }

  /** @returns the offset behind a value; of a container that is not empty, the offset of its first value */
  #readValue(at: number): number {
    this.#values += 1;
    if (this.#values > this.#limits.maxValues)
      return this.#refuse(`The request body holds more than ${this.#limits.maxValues} values.`, 1);
    const byte = this.#json[at] ?? 0;
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) return this.#open(at, byte === OPEN_BRACKET);
    this.#wantsValue = false;
    if (byte === QUOTE) return endOfString(this.#json, at);
    if (byte === MINUS || (byte >= 0x30 && byte <= 0x39)) return this.#readNumber(at);
    // true, null and false, of which JSON.parse reads every letter.
    if (byte === 0x74 || byte === 0x6e) return at + 4;
    return byte === 0x66 ? at + 5 : this.#malformed(at);
  }

  /** @returns the offset of the next value, or behind the container that ends here */
  #leaveValue(at: number): number {
    const depth = this.#depth;
    if (depth === 0) return at === this.#json.length ? STOP : this.#malformed(at);
    const isList = this.#kinds[depth - 1] === 'list';
    const byte = this.#json[at];
    if (byte === COMMA) {
      this.#wantsValue = true;
      const next = this.#skipSpace(at + 1);
      if (!isList) return this.#readName(next);
      this.#places[depth - 1] = (this.#places[depth - 1] ?? 0) + 1;
      return next;
    }
    if (byte !== (isList ? CLOSE_BRACKET : CLOSE_BRACE)) return this.#malformed(at);
    this.#close();
    return at + 1;
  }

  #open(at: number, isList: boolean): number {
    const depth = this.#depth;
    if (depth >= this.#limits.maxDepth)
      return this.#refuse(
        `${this.#path(1)} is nested too deeply: a body has at most ${this.#limits.maxDepth} levels.`,
        1,
      );
    const kind = depth === 0 ? 'strict' : (this.#inner[depth - 1] ?? 'free');
    this.#kinds[depth] = isList ? 'list' : kind;
    this.#inner[depth] = kind;
    this.#bases[depth] = this.#names.count;
    this.#places[depth] = 0;
    this.#depth = depth + 1;
    this.#isWhole = false;
    const first = this.#skipSpace(at + 1);
    if (this.#json[first] === (isList ? CLOSE_BRACKET : CLOSE_BRACE)) {
      this.#wantsValue = false;
      this.#close();
      return first + 1;
    }
    return isList ? first : this.#readName(first);
  }

  #close(): void {
    this.#depth -= 1;
    this.#names.close(this.#bases[this.#depth] ?? 0);
  }

  /** @returns the offset of the member's value */
  #readName(start: number): number {
    if (this.#json[start] !== QUOTE) return this.#malformed(start);
    this.#members += 1;
    if (this.#members > this.#limits.maxMembers)
      return this.#refuse(`The request body holds more than ${this.#limits.maxMembers} members.`, 1);
    const level = this.#depth - 1;
    const kind = this.#kinds[level];
    if (kind === undefined || kind === 'list') return this.#malformed(start);
    const names = this.#names;
    this.#places[level] = start;
    const error = names.read(start, { kind, isOfBody: level === 0 }, this.#bases[level] ?? 0);
    if (error === 'malformed') return this.#malformed(start);
    if (error !== null) return this.#refuse(`${this.#path(this.#depth)} ${error}`, this.#depth);
    const { known } = names;
    this.#inner[level] = known === undefined ? 'free' : level === 0 ? known.atTop : known.below;
    this.#isWhole = known?.isWhole === true;
    const colon = this.#skipSpace(names.end);
    return this.#json[colon] === COLON ? this.#skipSpace(colon + 1) : this.#malformed(colon);
  }

  #readNumber(start: number): number {
    const form = this.#number;
    readNumber(this.#json, start, form);
    const { end, isFloat } = form;
    const isWhole = this.#isWhole && this.#kinds[this.#depth - 1] !== 'list';
    if (isFloat && isWhole)
      return this.#refuse(
        `${this.#path(this.#depth)} must be a whole number without fraction or exponent.`,
        this.#depth,
      );
    // Readers turn it into infinity, or refuse it.
    if (
      (isFloat || end - start > PLAIN_NUMBER) &&
      !Number.isFinite(Number(this.#json.toString('latin1', start, end)))
    )
      return this.#refuse(`${this.#path(this.#depth)} is a number out of range.`, this.#depth);
    return end;
  }

  #skipSpace(from: number): number {
    let at = from;
    for (;;) {
      const byte = this.#json[at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at;
      at += 1;
    }
  }

  /** The path of the first levels: `messages.0.content`. */
  #path(levels: number): string {
    const steps = this.#places
      .slice(0, Math.min(levels, this.#depth))
      .map((place, level) => (this.#kinds[level] === 'list' ? String(place) : this.#names.textAt(place)));
    const path = steps.join('.');
    return path.length > MAX_PARAM ? `${path.slice(0, MAX_PARAM)}…` : path;
  }

  #refuse(message: string, levels: number): number {
    const param = this.#path(levels);
    this.#error = deny('invalid_request', message, param === '' ? {} : { param }).error;
    return STOP;
  }

  #malformed(at: number): number {
    this.#error = deny('invalid_json', `The request body is not valid JSON at byte ${at}.`).error;
    return STOP;
  }
}

/** Used again by every call: a scan is never interrupted. */
const scan = new BodyScan();
