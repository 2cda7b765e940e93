const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 9;
/** cyrb53 (https://github.com/bryc/code/blob/master/jshash/experimental/cyrb53.js): 53 bits, without big integers. */
const SEEDS = [0xdeadbeef, 0x41c6ce57] as const;
const FACTORS = [2_654_435_761, 1_597_334_677] as const;
const MIXERS = [2_246_822_507, 3_266_489_909] as const;

/** Nine letters and digits that represent a text, which may be long: the same text always has the same ones. */
export function computeShortHash(text: string): string {
  let [low, high]: [number, number] = [...SEEDS];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, FACTORS[0]);
    high = Math.imul(high ^ code, FACTORS[1]);
  }
  const mixedLow = mix(low, high);
  const mixedHigh = mix(high, mixedLow);
  let rest = 2 ** 32 * (mixedHigh & 0x1fffff) + (mixedLow >>> 0);
  let short = '';
  while (short.length < LENGTH) {
    short += ALPHABET.charAt(rest % ALPHABET.length);
    rest = Math.floor(rest / ALPHABET.length);
  }
  return short;
}

function mix(word: number, other: number): number {
  return Math.imul(word ^ (word >>> 16), MIXERS[0]) ^ Math.imul(other ^ (other >>> 13), MIXERS[1]);
}
