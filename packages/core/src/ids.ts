const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARS = 10;
const RANDOM_PAIRS = 8;
/** Every pair of characters, by its 10 bits. */
const PAIRS = Array.from(
  { length: 1024 },
  (_, index) => ALPHABET.charAt(index >> 5) + ALPHABET.charAt(index & 31),
);
const POOL_SIZE = 2048;

/** Prefixes of every id in the product; the prefix says what an id names. */
export type IdPrefix =
  | 'acct'
  | 'aud'
  | 'chk'
  | 'code'
  | 'inv'
  | 'key'
  | 'led'
  | 'mail'
  | 'pay'
  | 'pk'
  | 'prov'
  | 'rep'
  | 'req'
  | 'route'
  | 'user'
  | 'idn';

const pool = new Uint16Array(POOL_SIZE);
let poolOffset = POOL_SIZE;
let timeMs = -1;
let timeText = '';

/**
 * Mints an id such as `key_01k9zc4t7q8wf3m2n5p6r8s0tv`: 48 bits of time, then 80 random bits, in
 * Crockford's base 32 (https://www.crockford.com/base32.html). Ids sort by the millisecond they were made in.
 */
export function createId(prefix: IdPrefix, nowMs = Date.now()): string {
  if (nowMs !== timeMs) {
    timeText = encodeTime(nowMs);
    timeMs = nowMs;
  }
  if (poolOffset + RANDOM_PAIRS > POOL_SIZE) {
    crypto.getRandomValues(pool);
    poolOffset = 0;
  }
  let random = '';
  for (let pair = 0; pair < RANDOM_PAIRS; pair++) random += PAIRS[(pool[poolOffset++] ?? 0) & 1023] ?? '';
  return `${prefix}_${timeText}${random}`;
}

function encodeTime(nowMs: number): string {
  let rest = nowMs;
  let text = '';
  for (let i = 0; i < TIME_CHARS; i++) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
