import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Codes of authenticator apps: RFC 6238 with what every app takes for granted, SHA-1, six digits, 30 seconds.
 * https://www.rfc-editor.org/rfc/rfc6238
 */
const STEP_MS = 30_000;
const DIGITS = 6;
/** As long as the hash: what RFC 4226 §4 recommends. */
const SECRET_BYTES = 20;
/** A clock that is one step off, and a code typed while it changed, still count. */
const TOLERATED_STEPS = 1;
/** RFC 4648, the base 32 that apps read. */
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Mints a secret of 160 random bits, in base 32: 32 characters that an app takes by hand too. */
export function mintTotpSecret(): string {
  return Array.from(randomBytes((SECRET_BYTES * 8) / 5), (byte) => BASE32.charAt(byte & 31)).join('');
}

/** Which of the 30-second steps since 1970 a moment is in. */
export function totpStepAt(nowMs: number): number {
  return Math.floor(nowMs / STEP_MS);
}

/** @param secret in base 32; @returns the six digits of a step */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', decodeBase32(secret)).update(counter).digest();
  // RFC 4226 §5.3: the last four bits say where the 31 bits of the code stand.
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7f_ff_ff_ff;
  return (number % 10 ** DIGITS).toString().padStart(DIGITS, '0');
}

/**
 * Checks a code.
 * @param attempt.lastUsedStep the step of the code that was taken last: it and those before it work no more
 * @returns the step that the code stands for, to be stored; null where it is wrong, too old or used
 */
export function findTotpStep(
  secret: string,
  attempt: { code: string; nowMs: number; lastUsedStep: number | null },
): number | null {
  const now = totpStepAt(attempt.nowMs);
  const given = Buffer.from(attempt.code);
  let found: number | null = null;
  for (let step = now - TOLERATED_STEPS; step <= now + TOLERATED_STEPS; step++) {
    const expected = Buffer.from(totpCode(secret, step));
    const isSame = given.length === expected.length && timingSafeEqual(given, expected);
    if (isSame && step > (attempt.lastUsedStep ?? -1)) found ??= step;
  }
  return found;
}

/** What the picture says that apps scan: https://github.com/google/google-authenticator/wiki/Key-Uri-Format */
export function totpUri(entry: { secret: string; issuer: string; login: string }): string {
  const label = `${encodeURIComponent(entry.issuer)}:${encodeURIComponent(entry.login)}`;
  return `otpauth://totp/${label}?secret=${entry.secret}&issuer=${encodeURIComponent(entry.issuer)}`;
}

function decodeBase32(text: string): Buffer {
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const char of text) {
    const digit = BASE32.indexOf(char);
    if (digit === -1) throw new Error('A TOTP secret is not base 32');
    value = ((value << 5) | digit) & 0xf_ff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >> bits) & 255);
  }
  return Buffer.from(bytes);
}
