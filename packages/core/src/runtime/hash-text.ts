/** cyrb53 (https://github.com/bryc/code/blob/master/jshash/experimental/cyrb53.js): 53 bits, without big integers. */
const LINE_FEED = 10;
const LOW_SEED = 0xdeadbeef | 0;
const HIGH_SEED = 0x41c6ce57;
const LOW_FACTOR = 2_654_435_761 | 0;
const HIGH_FACTOR = 1_597_334_677;
const MIXER = 2_246_822_507 | 0;
const OTHER_MIXER = 3_266_489_909 | 0;

/** Hashes a text to a whole number from 0 to 2^53−1. Not for secrets: a text with a given hash can be found. */
export function hashText(text: string): number {
  return hashLines(text, null);
}

/** As {@link hashText} of both texts with a line feed between them, which need not be written into one. */
export function hashLines(text: string, next: string | null): number {
  let low = LOW_SEED;
  let high = HIGH_SEED;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, LOW_FACTOR);
    high = Math.imul(high ^ code, HIGH_FACTOR);
  }
  if (next !== null) {
    low = Math.imul(low ^ LINE_FEED, LOW_FACTOR);
    high = Math.imul(high ^ LINE_FEED, HIGH_FACTOR);
    for (let at = 0; at < next.length; at += 1) {
      const code = next.charCodeAt(at);
      low = Math.imul(low ^ code, LOW_FACTOR);
      high = Math.imul(high ^ code, HIGH_FACTOR);
    }
  }
  const mixedLow = mix(low, high);
  const mixedHigh = mix(high, mixedLow);
  return 2 ** 32 * (mixedHigh & 0x1fffff) + (mixedLow >>> 0);
}

function mix(word: number, other: number): number {
  return Math.imul(word ^ (word >>> 16), MIXER) ^ Math.imul(other ^ (other >>> 13), OTHER_MIXER);
}
