import { z } from 'zod';

const ACCOUNT_NAME_MAX_LENGTH = 80;

/** Control characters, line breaks and what turns the direction of text around. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/** Names stand in mails to strangers, who must not be led elsewhere by them. */
const LINK = /:\/\/|www\./i;

/** The name of an account, as its people and those whom they invite read it. */
export const accountNameSchema = z
  .string()
  .trim()
  .min(1, 'Give the account a name')
  .max(ACCOUNT_NAME_MAX_LENGTH, `A name has at most ${ACCOUNT_NAME_MAX_LENGTH} characters`)
  .refine((name) => !UNPRINTABLE.test(name), 'A name is one line of plain characters')
  .refine((name) => !LINK.test(name), 'A name cannot be a link');
