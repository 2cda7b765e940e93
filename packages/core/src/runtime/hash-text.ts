/** cyrb53 (https://github.com/bryc/code/blob/master/jshash/experimental/cyrb53.js): 53 bits, without big integers. */
const SEEDS = [0xdeadbeef, 0x41c6ce57] as const;
const FACTORS = [2_654_435_761, 1_597_334_677] as const;
const MIXERS = [2_246_822_507, 3_266_489_909] as const;

/** Hashes a text to a whole number from 0 to 2^53−1. Not for secrets: a text with a given hash can be found. */
export function hashText(text: string): number {
  let [low, high]: [number, number] = [...SEEDS];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, FACTORS[0]);
    high = Math.imul(high ^ code, FACTORS[1]);
  }
  const mixedLow = mix(low, high);
  const mixedHigh = mix(high, mixedLow);
  return 2 ** 32 * (mixedHigh & 0x1fffff) + (mixedLow >>> 0);
}

function mix(word: number, other: number): number {
  return Math.imul(word ^ (word >>> 16), MIXERS[0]) ^ Math.imul(other ^ (other >>> 13), MIXERS[1]);
}
