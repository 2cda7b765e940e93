import { Buffer } from 'node:buffer';
import {
  MAX_HEAD_BYTES,
  MAX_LENGTH_DIGITS,
  parseRequestHead,
  type HeadFields,
  type RequestHead,
} from './parse-request-head.ts';

/** The last head of a connection: its bytes in front of the length of the body, and behind it. */
interface LastHead {
  before: Buffer;
  after: Buffer;
  fields: HeadFields;
}

/** A connection keeps a smaller head. Those of SDKs take about 1 KiB. */
const MAX_KEPT_BYTES = 4 * 1024;

const ZERO = 48;

/**
 * Reads the heads of one connection. A client usually sends the same head with each request, except for the length of the
 * body: such a head is compared with the last one instead of being parsed, and shares its fields.
 */
export class HeadReader {
  #last: LastHead | null = null;

  /**
   * @param memory may have other bytes behind those of the request
   * @param length of the bytes that were read
   * @returns null if the head is incomplete, or is for `node:http`
   */
  read(memory: Buffer, length: number): RequestHead | null {
    const head = this.#last === null ? null : readSame(memory, this.#last);
    return head !== null && head.length <= length ? head : this.#parse(memory.subarray(0, length));
  }

  #parse(bytes: Buffer): RequestHead | null {
    const place = { start: 0, end: 0 };
    const head = parseRequestHead(bytes, place);
    if (head === null) return null;
    if (head.length > MAX_KEPT_BYTES) {
      this.#last = null;
      return head;
    }
    const before = Buffer.from(bytes.subarray(0, place.start));
    const after = Buffer.from(bytes.subarray(place.end, head.length));
    this.#last = { before, after, fields: head.fields };
    return head;
  }
}

/** @returns null if the head differs in more than the length of the body; it may be longer than what was read */
function readSame(bytes: Buffer, { before, after, fields }: LastHead): RequestHead | null {
  const start = before.length;
  if (!hasBytes(bytes, 0, before)) return null;
  let end = start;
  let contentLength = 0;
  for (;;) {
    const digit = (bytes[end] ?? 0) - ZERO;
    if (!(digit >= 0 && digit <= 9) || end - start === MAX_LENGTH_DIGITS) break;
    contentLength = contentLength * 10 + digit;
    end += 1;
  }
  const length = end + after.length;
  if (end === start || length > MAX_HEAD_BYTES) return null;
  return hasBytes(bytes, end, after) ? { fields, contentLength, length } : null;
}

function hasBytes(bytes: Buffer, at: number, wanted: Buffer): boolean {
  const end = at + wanted.length;
  return end <= bytes.length && bytes.compare(wanted, 0, wanted.length, at, end) === 0;
}
