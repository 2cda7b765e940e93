import { Buffer } from 'node:buffer';

const ONE_CODE_POINT = /^.$/su;
// oxlint-disable-next-line no-control-regex -- all of ASCII
const ASCII = /^[\u0000-\u007f]*$/;
/** Code points from here on have no case. */
const CASELESS = 0x20000;
const FIRST_PAIR = 0x10000;
/** What each code point is folded to, which has as many code units; 0: not computed yet. */
const foldedPoints = new Uint32Array(CASELESS);
/** The units of a name. A longer name has a separate one. */
const shortUnits = new Uint16Array(256);

/**
 * Folds the case of a member name as case-insensitive JSON readers do: Go's `encoding/json` uses Unicode simple folding
 * (`ſ` is `s`, the Kelvin sign is `k`). Dotted and dotless i count as `i` too, as in Java's `equalsIgnoreCase`.
 * @returns the same text for every spelling that one of these readers takes for the same name
 */
export function foldName(name: string): string {
  if (ASCII.test(name)) return name.toLowerCase();
  return foldPoints(name);
}

/** A name may have a hundred thousand letters: a call into native code for each would take tens of milliseconds. */
function foldPoints(name: string): string {
  const { length } = name;
  const units = length <= shortUnits.length ? shortUnits : new Uint16Array(length);
  let isSame = true;
  for (let at = 0; at < length; at += 1) {
    const point = name.codePointAt(at) ?? 0;
    const folded = foldPoint(point);
    if (folded !== point) isSame = false;
    if (point < FIRST_PAIR) units[at] = folded;
    else {
      units[at] = 0xd800 + ((folded - FIRST_PAIR) >> 10);
      at += 1;
      units[at] = 0xdc00 + (folded & 0x3ff);
    }
  }
  return isSame ? name : Buffer.from(units.buffer, 0, length * 2).toString('utf16le');
}

function foldPoint(point: number): number {
  if (point >= CASELESS) return point;
  const known = foldedPoints[point] ?? 0;
  if (known !== 0) return known;
  const folded = foldCodePoint(String.fromCodePoint(point)).codePointAt(0) ?? point;
  foldedPoints[point] = folded;
  return folded;
}

function foldCodePoint(point: string): string {
  if (point === 'İ') return 'i';
  const upper = point.toUpperCase();
  // One code point may become several ('ß' is 'SS'): simple folding leaves these as they are.
  const single = ONE_CODE_POINT.test(upper) ? upper : point;
  const lower = single.toLowerCase();
  return ONE_CODE_POINT.test(lower) ? lower : single;
}

/** As {@link foldName}, and without `_` and `-`, which some readers leave out when they compare names (`maxTokens`). */
export function foldNameLoosely(name: string): string {
  return leaveOutDashes(foldName(name));
}

export function leaveOutDashes(folded: string): string {
  return folded.includes('_') || folded.includes('-') ? folded.replaceAll(/[_-]+/g, '') : folded;
}
