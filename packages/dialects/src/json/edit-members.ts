import { Buffer } from 'node:buffer';
import { endOfString } from './end-of-string.ts';

const QUOTE = 0x22;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;
const EMPTY = Buffer.alloc(0);
const COMMA_TEXT = Buffer.of(COMMA);

interface Member {
  name: string;
  nameStart: number;
  valueStart: number;
  valueEnd: number;
}

/**
 * Replaces or adds members at the top level of a JSON object and leaves every other byte as it is: numbers of any
 * precision, spacing and key order survive, which parsing and re-serialising would not promise. If every member has its new
 * value already, the same bytes come back.
 * @param json a valid JSON object, proven by the caller's JSON.parse
 * @param changes member name to new value, as JSON text
 */
export function editJsonMembers(json: Buffer, changes: Readonly<Record<string, string>>): Buffer {
  const open = json.indexOf(OPEN_BRACE);
  const members = readMembers(json, open);
  const values = new Map(Object.entries(changes));
  const parts: Buffer[] = [];
  let copied = open + 1;
  const added = Object.entries(changes)
    .filter(([name]) => !members.some((member) => member.name === name))
    .map(([name, value]) => `${JSON.stringify(name)}:${value}`);
  parts.push(json.subarray(0, copied));
  if (added.length > 0) parts.push(Buffer.from(added.join(',') + (members.length > 0 ? ',' : '')));
  for (const member of members) {
    const value = values.get(member.name);
    if (value === undefined || isText(json, member, value)) continue;
    parts.push(json.subarray(copied, member.valueStart), Buffer.from(value));
    copied = member.valueEnd;
  }
  if (parts.length === 1) return json;
  parts.push(json.subarray(copied));
  return Buffer.concat(parts);
}

/**
 * Takes members out of the top level of a JSON object; every other member keeps its bytes.
 * @param json a valid JSON object, proven by the caller's JSON.parse
 * @returns the object without them, and the JSON text of each that was there: of one that stands twice, the last
 */
export function takeJsonMembers(
  json: Buffer,
  names: readonly string[],
): { rest: Buffer; taken: Readonly<Record<string, string>> } {
  const taken: Record<string, string> = {};
  const kept: Buffer[] = [];
  for (const { name, nameStart, valueStart, valueEnd } of readMembers(json, json.indexOf(OPEN_BRACE))) {
    if (names.includes(name)) taken[name] = json.toString('utf8', valueStart, valueEnd);
    else kept.push(kept.length === 0 ? EMPTY : COMMA_TEXT, json.subarray(nameStart, valueEnd));
  }
  return { rest: Buffer.concat([Buffer.of(OPEN_BRACE), ...kept, Buffer.of(CLOSE_BRACE)]), taken };
}

function isText(json: Buffer, { valueStart, valueEnd }: Member, value: string): boolean {
  return (
    valueEnd - valueStart === Buffer.byteLength(value) &&
    json.toString('utf8', valueStart, valueEnd) === value
  );
}

function readMembers(json: Buffer, open: number): Member[] {
  const members: Member[] = [];
  let at = open + 1;
  for (;;) {
    const nameStart = json.indexOf(QUOTE, at);
    const close = nameStart < 0 ? -1 : skipSpace(json, at);
    if (nameStart < 0 || json[close] === CLOSE_BRACE) return members;
    const nameEnd = endOfString(json, nameStart);
    const colon = json.indexOf(COLON, nameEnd);
    const valueStart = skipSpace(json, colon + 1);
    const valueEnd = skipValue(json, valueStart);
    const name: unknown = JSON.parse(json.toString('utf8', nameStart, nameEnd));
    members.push({ name: String(name), nameStart, valueStart, valueEnd });
    at = skipSpace(json, valueEnd);
    if (json[at] !== COMMA) return members;
    at += 1;
  }
}

function skipSpace(json: Buffer, from: number): number {
  let at = from;
  while (at < json.length && (json[at] ?? 0) <= 0x20) at += 1;
  return at;
}

/** @returns the offset behind a value that starts at `start` */
function skipValue(json: Buffer, start: number): number {
  const first = json[start];
  if (first === QUOTE) return endOfString(json, start);
  let depth = 0;
  let at = start;
  while (at < json.length) {
    const byte = json[at];
    if (byte === QUOTE) {
      at = endOfString(json, at);
      continue;
    }
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (depth === 0) return trimEnd(json, at);
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (byte === COMMA && depth === 0) return trimEnd(json, at);
    at += 1;
  }
  return at;
}

function trimEnd(json: Buffer, end: number): number {
  let at = end;
  while ((json[at - 1] ?? 0) <= 0x20) at -= 1;
  return at;
}
