import { z } from 'zod';

export const PASSWORD_MIN_LENGTH = 10;
/** argon2 accepts any length; the limit bounds the CPU time of a sign-up. */
export const PASSWORD_MAX_LENGTH = 256;

/** Validated by client and server; only the server checks the list of common passwords. */
export const passwordSchema = z
  .string()
  .min(PASSWORD_MIN_LENGTH, `Use at least ${PASSWORD_MIN_LENGTH} characters`)
  .max(PASSWORD_MAX_LENGTH, `Use at most ${PASSWORD_MAX_LENGTH} characters`);

/** An email address, trimmed and lowercased, because comparisons ignore case. */
export const emailSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, 'This email address is too long')
  .pipe(z.email('Enter an email address such as you@example.com'));

/** The six-digit code from an email; spaces are allowed. */
export const oneTimeCodeSchema = z
  .string()
  .transform((text) => text.replace(/\s/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, 'Enter the 6 digits from the email'));

/** A second factor: six digits from an authenticator app, or a recovery code. */
export const secondFactorCodeSchema = z
  .string()
  .trim()
  .min(6, 'Enter the 6 digits from your app, or a recovery code')
  .max(40, 'Enter the 6 digits from your app, or a recovery code');

/** Display name; empty means none. */
export const personNameSchema = z.string().trim().max(80, 'Use at most 80 characters');

/** Name of a passkey in the user's list. */
export const passkeyNameSchema = z
  .string()
  .trim()
  .min(1, 'Enter a name, such as "Laptop"')
  .max(80, 'Use at most 80 characters');
