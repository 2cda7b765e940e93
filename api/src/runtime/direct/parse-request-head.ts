/**
 * Reads the head of a request if it is one of the plain forms that clients send: a subset of what `node:http` reads, with the
 * same meaning. Every other head, invalid ones included, is for `node:http`.
 * https://www.rfc-editor.org/rfc/rfc9112#section-2.1
 */
import { Buffer } from 'node:buffer';
import type { HeaderFindings } from '../../exchange.ts';

/** Like the limit of `node:http`. The text of a head stays in memory as long as one of its values. */
export const MAX_HEAD_BYTES = 16 * 1024;
const MAX_HEADERS = 64;

/** What a head says, except for the length of the body. */
export interface HeadFields {
  path: string;
  /** With the question mark, or empty. */
  query: string;
  /** By name, in lower case, without `content-length`. */
  headers: ReadonlyMap<string, string>;
  findings: HeaderFindings;
  /** True: the connection stays open after the response. */
  keepsAlive: boolean;
}

export interface RequestHead {
  fields: HeadFields;
  contentLength: number;
  /** Bytes of the head, with its empty line. */
  length: number;
}

/** Where the value of `content-length` is in a head. */
export interface LengthPlace {
  start: number;
  end: number;
}

const START = 'POST /';
const TARGET_START = START.length - 1;
const VERSION = ' HTTP/1.1';
const LINE_END = '\r\n';
const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH_NAME = 'content-length';
const COLON = 58;
const SPACE = 32;
const CARRIAGE_RETURN = 13;
const LINE_FEED = 10;

/** Headers that change how a request is read, or what happens to its connection. */
const SPECIAL_NAMES = [
  'transfer-encoding',
  'expect',
  'upgrade',
  'proxy-connection',
  'trailer',
  'http2-settings',
];

const IN_NAME = 1;
const IN_VALUE = 2;
const IN_TARGET = 4;
const KINDS = createKinds();

function createKinds(): Uint8Array {
  const kinds = new Uint8Array(256);
  for (let code = 0x20; code < 0x7f; code++) {
    const character = String.fromCharCode(code);
    if (/[\w-]/.test(character)) kinds[code] = IN_NAME | IN_VALUE | IN_TARGET;
    else if (/[!$%&'()*+,./:;=?@~]/.test(character)) kinds[code] = IN_VALUE | IN_TARGET;
    else kinds[code] = IN_VALUE;
  }
  return kinds;
}

/** The first position from `at` that is not of the kind. */
function skip(bytes: Buffer, at: number, kind: number): number {
  let end = at;
  while (((KINDS[bytes[end] ?? 0] ?? 0) & kind) !== 0) end += 1;
  return end;
}

/**
 * @param place is set if the head is accepted
 * @returns null if the head is incomplete, or is for `node:http`
 */
export function parseRequestHead(bytes: Buffer, place: LengthPlace): RequestHead | null {
  const end = bytes.indexOf(HEAD_END);
  if (end < 0 || end > MAX_HEAD_BYTES) return null;
  // With the line end of the last header.
  const text = bytes.toString('latin1', 0, end + LINE_END.length);
  if (!text.startsWith(START)) return null;
  const targetEnd = skip(bytes, TARGET_START, IN_TARGET);
  if (!text.startsWith(VERSION, targetEnd)) return null;
  const lineEnd = targetEnd + VERSION.length;
  if (!text.startsWith(LINE_END, lineEnd)) return null;
  const headers = parseHeaders(bytes, text, { start: lineEnd + LINE_END.length, place });
  if (headers === null) return null;
  const contentLength = parseLength(headers.get(LENGTH_NAME));
  const keepsAlive = parseConnection(headers.get('connection'));
  if (contentLength === null || keepsAlive === null || !headers.has('host')) return null;
  for (const name of SPECIAL_NAMES) if (headers.has(name)) return null;
  headers.delete(LENGTH_NAME);
  const target = text.slice(TARGET_START, targetEnd);
  const query = target.indexOf('?');
  const fields = {
    path: query < 0 ? target : target.slice(0, query),
    query: query < 0 ? '' : target.slice(query),
    headers,
    findings: { keyHash: null },
    keepsAlive,
  };
  return { fields, contentLength, length: end + HEAD_END.length };
}

/** @param text of the bytes, up to the line end of the last header @returns null if a header is not plain, or is repeated */
function parseHeaders(
  bytes: Buffer,
  text: string,
  { start, place }: { start: number; place: LengthPlace },
): Map<string, string> | null {
  const headers = new Map<string, string>();
  let at = start;
  while (at < text.length) {
    const nameEnd = skip(bytes, at, IN_NAME);
    if (nameEnd === at || bytes[nameEnd] !== COLON) return null;
    let valueStart = nameEnd + 1;
    while (bytes[valueStart] === SPACE) valueStart += 1;
    const lineEnd = skip(bytes, valueStart, IN_VALUE);
    if (bytes[lineEnd] !== CARRIAGE_RETURN || bytes[lineEnd + 1] !== LINE_FEED) return null;
    // Empty, or with spaces at its end.
    if (lineEnd === valueStart || bytes[lineEnd - 1] === SPACE) return null;
    const name = text.slice(at, nameEnd).toLowerCase();
    if (headers.has(name) || headers.size === MAX_HEADERS) return null;
    if (name === LENGTH_NAME) [place.start, place.end] = [valueStart, lineEnd];
    headers.set(name, text.slice(valueStart, lineEnd));
    at = lineEnd + LINE_END.length;
  }
  return headers;
}

export const MAX_LENGTH_DIGITS = 10;
const DIGITS = new RegExp(`^\\d{1,${MAX_LENGTH_DIGITS}}$`);

/** At most ten digits, which are exact. Larger lengths exceed every limit anyway. */
function parseLength(value: string | undefined): number | null {
  return value !== undefined && DIGITS.test(value) ? Number(value) : null;
}

/** https://www.rfc-editor.org/rfc/rfc9112#section-9.3 */
function parseConnection(value: string | undefined): boolean | null {
  switch (value?.toLowerCase()) {
    case undefined:
    case 'keep-alive':
      return true;
    case 'close':
      return false;
    default:
      return null;
  }
}
