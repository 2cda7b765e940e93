import { z } from 'zod';

/** The search parameters of the pages before the console. What is malformed counts as absent. */
export const signInSearchSchema = z.object({
  /** Where to go afterwards, inside this console. */
  redirect: z.string().optional().catch(undefined),
  reason: z.enum(['expired', 'everywhere', 'deleted', 'again']).optional().catch(undefined),
});

export const signUpSearchSchema = z.object({
  /** The token of the first-run link: whoever signs up with it runs the installation. */
  operator: z.string().optional().catch(undefined),
});

export const verifySearchSchema = z.object({
  email: z.string().optional().catch(undefined),
  token: z.string().optional().catch(undefined),
});

export const tokenSearchSchema = z.object({ token: z.string().optional().catch(undefined) });
