import type { Buffer } from 'node:buffer';

const [QUOTE, COLON, COMMA, BACKSLASH, SPACE] = [0x22, 0x3a, 0x2c, 0x5c, 0x20];
/** The shortest member: `"":1,`. */
const LEAST_BYTES = 5;

/** True if a body has more members in its objects, without parsing it. Text that looks like a member may count too. */
export function hasManyMembers(body: Buffer, most: number): boolean {
  if (body.length <= most * LEAST_BYTES) return false;
  let found = 0;
  for (let at = body.indexOf(COLON); at >= 0; at = body.indexOf(COLON, at + 1)) {
    if (endsName(body, at) && ++found > most) return true;
  }
  return false;
}

/** True if a body may have more values in its lists and objects, without parsing it: commas of texts count too. */
export function hasManyValues(body: Buffer, most: number): boolean {
  if (body.length <= most * 2) return false;
  let found = 0;
  for (let at = body.indexOf(COMMA); at >= 0; at = body.indexOf(COMMA, at + 1))
    if (++found > most) return true;
  return false;
}

/** True if a name ends before a colon: a quote that is not escaped, and white space. */
function endsName(body: Buffer, colon: number): boolean {
  let at = colon - 1;
  while (at >= 0 && (body[at] ?? 0) <= SPACE) at -= 1;
  if (body[at] !== QUOTE) return false;
  return body[at - 1] !== BACKSLASH || body[at - 2] === BACKSLASH;
}
