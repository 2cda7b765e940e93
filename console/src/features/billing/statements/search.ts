import { z } from 'zod';

/** State of a statement's page in the URL. */
export const statementSearchSchema = z.object({
  /** The account of the statement, so that the link opens it for every member. */
  account: z
    .string()
    .regex(/^acct_[0-9a-z]{1,60}$/)
    .optional()
    .catch(undefined),
});
