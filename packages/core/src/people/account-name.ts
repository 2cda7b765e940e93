import { z } from 'zod';
import { isPrintable } from '../text/printable.ts';

const ACCOUNT_NAME_MAX_LENGTH = 80;

/** Invitation emails contain the name, so it must not contain a link. */
const LINK = /:\/\/|www\./i;

/** Name of an account, shown to members and invitees. */
export const accountNameSchema = z
  .string()
  .trim()
  .min(1, 'Enter an account name')
  .max(ACCOUNT_NAME_MAX_LENGTH, `Use at most ${ACCOUNT_NAME_MAX_LENGTH} characters`)
  .refine(isPrintable, 'Use one line of printable characters')
  .refine((name) => !LINK.test(name), 'A name cannot contain a link');
