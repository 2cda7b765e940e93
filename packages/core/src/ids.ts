const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARS = 10;
const RANDOM_CHARS = 16;
const POOL_BYTES = 4096;

/** Prefixes of every id in the product; the prefix says what an id names. */
export type IdPrefix = 'acct' | 'aud' | 'code' | 'key' | 'mail' | 'prov' | 'req' | 'route' | 'user';

const pool = new Uint8Array(POOL_BYTES);
let poolOffset = POOL_BYTES;
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
  if (poolOffset + RANDOM_CHARS > POOL_BYTES) {
    crypto.getRandomValues(pool);
    poolOffset = 0;
  }
  let id = `${prefix}_${timeText}`;
  for (let i = 0; i < RANDOM_CHARS; i++) id += ALPHABET.charAt((pool[poolOffset++] ?? 0) & 31);
  return id;
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
