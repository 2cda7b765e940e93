import { z } from 'zod';

const ACCOUNT_NAME_MAX_LENGTH = 80;

/** Control characters, line breaks and text-direction marks. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/** Invitation emails contain the name, so it must not contain a link. */
const LINK = /:\/\/|www\./i;

/** Name of an account, shown to members and invitees. */
export const accountNameSchema = z
  .string()
  .trim()
  .min(1, 'Enter an account name')
  .max(ACCOUNT_NAME_MAX_LENGTH, `Use at most ${ACCOUNT_NAME_MAX_LENGTH} characters`)
  .refine((name) => !UNPRINTABLE.test(name), 'Use one line of printable characters')
  .refine((name) => !LINK.test(name), 'A name cannot contain a link');
