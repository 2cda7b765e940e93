import { z } from 'zod';

export const PASSWORD_MIN_LENGTH = 10;
/** argon2 takes any length; the bound keeps a sign-up from being a way to burn a server's time. */
export const PASSWORD_MAX_LENGTH = 256;

/** The rule both sides check; the list of common passwords is checked by the server alone. */
export const passwordSchema = z
  .string()
  .min(PASSWORD_MIN_LENGTH, `Use at least ${PASSWORD_MIN_LENGTH} characters`)
  .max(PASSWORD_MAX_LENGTH, `Use at most ${PASSWORD_MAX_LENGTH} characters`);

/** An address as typed, trimmed and lower-cased: emails are compared without regard to case. */
export const emailSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, 'That email address is too long')
  .pipe(z.email('Enter an email address such as you@example.com'));

/** The six digits that a mail carries; blanks between them are forgiven. */
export const oneTimeCodeSchema = z
  .string()
  .transform((text) => text.replace(/\s/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, 'Enter the 6 digits from the email'));

/** What a second step asks for: the six digits of an authenticator app, or a recovery code. */
export const secondFactorCodeSchema = z
  .string()
  .trim()
  .min(6, 'Enter the 6 digits of your app, or a recovery code')
  .max(40, 'Enter the 6 digits of your app, or a recovery code');

/** How a person wants to be called; nothing is no name. */
export const personNameSchema = z.string().trim().max(80, 'Use at most 80 characters');

/** What a passkey is called in the list of its person. */
export const passkeyNameSchema = z
  .string()
  .trim()
  .min(1, 'Give it a name, such as "Laptop"')
  .max(80, 'Use at most 80 characters');
