import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Codes of authenticator apps: RFC 6238 with the common parameters SHA-1, six digits, 30 seconds.
 * https://www.rfc-editor.org/rfc/rfc6238
 */
const STEP_MS = 30_000;
const DIGITS = 6;
/** Length of the hash, as recommended by RFC 4226 §4. */
const SECRET_BYTES = 20;
/** Tolerated clock difference in steps; also covers codes typed during a change. */
const TOLERATED_STEPS = 1;
/** Base 32 of RFC 4648, as used by apps. */
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Creates a secret of 160 random bits: 32 base-32 characters, which can be typed too. */
export function mintTotpSecret(): string {
  return Array.from(randomBytes((SECRET_BYTES * 8) / 5), (byte) => BASE32.charAt(byte & 31)).join('');
}

/** The 30-second step since 1970 of a time. */
export function totpStepAt(nowMs: number): number {
  return Math.floor(nowMs / STEP_MS);
}

/** @param secret in base 32; @returns the six digits of a step */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', decodeBase32(secret)).update(counter).digest();
  // RFC 4226 §5.3: the last four bits are the offset of the code's 31 bits.
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7f_ff_ff_ff;
  return (number % 10 ** DIGITS).toString().padStart(DIGITS, '0');
}

/**
 * Checks a code.
 * @param attempt.lastUsedStep step of the last accepted code; it and earlier steps are rejected
 * @returns the step of the code, to be stored; null if it is wrong, too old or used
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

/** URI for the QR code of authenticator apps: https://github.com/google/google-authenticator/wiki/Key-Uri-Format */
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
