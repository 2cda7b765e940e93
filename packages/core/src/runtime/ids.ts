const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARS = 10;
/** All pairs of characters, indexed by 10 bits. */
const PAIRS = Array.from(
  { length: 1024 },
  (_, index) => ALPHABET.charAt(index >> 5) + ALPHABET.charAt(index & 31),
);
const POOL_SIZE = 1024;
/** Half of the random bits takes eight characters. */
const HALF = 2 ** 40;

/** Prefixes of all IDs; the prefix names the kind of ID. */
export type IdPrefix =
  | 'acct'
  | 'aud'
  | 'chk'
  | 'code'
  | 'conv'
  | 'cred'
  | 'doc'
  | 'inv'
  | 'key'
  | 'led'
  | 'mail'
  | 'part'
  | 'pattern'
  | 'pay'
  | 'pk'
  | 'prov'
  | 'rep'
  | 'refund'
  | 'req'
  | 'route'
  | 'tax'
  | 'user'
  | 'view'
  | 'idn';

const pool = new Uint32Array(POOL_SIZE);
let poolOffset = POOL_SIZE;
let timeMs = -1;
let timeText = '';
let high = 0;
let highText = '';
let low = 0;

/**
 * Creates an ID such as `key_01k9zc4t7q8wf3m2n5p6r8s0tv`: 48 bits of time, then 80 random bits, in
 * Crockford's base 32 (https://www.crockford.com/base32.html). IDs sort by creation millisecond. Within a millisecond,
 * IDs of one process sort by creation order: each adds a random step to the previous one.
 */
export function createId(prefix: IdPrefix, nowMs = Date.now()): string {
  if (nowMs === timeMs) {
    low += 1 + (drawWord() >>> 12);
    if (low >= HALF) startHalves(high + 1);
  } else {
    timeText = encodeTime(nowMs);
    timeMs = nowMs;
    startHalves(drawHalf());
  }
  return `${prefix}_${timeText}${highText}${encodeHalf(low)}`;
}

function startHalves(newHigh: number): void {
  high = newHigh;
  highText = encodeHalf(high);
  low = drawHalf();
}

/** 39 random bits, which leaves room for increments. */
function drawHalf(): number {
  return drawWord() * 128 + (drawWord() >>> 25);
}

/** 32 random bits. */
function drawWord(): number {
  if (poolOffset === POOL_SIZE) {
    crypto.getRandomValues(pool);
    poolOffset = 0;
  }
  return pool[poolOffset++] ?? 0;
}

function encodeHalf(half: number): string {
  const left = Math.floor(half / 2 ** 20);
  const right = half % 2 ** 20;
  return encodePair(left >> 10) + encodePair(left) + encodePair(right >> 10) + encodePair(right);
}

function encodePair(bits: number): string {
  return PAIRS[bits & 1023] ?? '';
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
