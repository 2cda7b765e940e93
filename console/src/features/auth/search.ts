import { z } from 'zod';

/** Search parameters of the auth pages. Malformed values count as absent. */
/** Where to go afterwards, inside this console. */
const redirectSchema = z.string().optional().catch(undefined);
/** Prefills the email field. */
const emailSchema = z.string().max(320).optional().catch(undefined);

export const signInSearchSchema = z.object({
  redirect: redirectSchema,
  email: emailSchema,
  reason: z.enum(['expired', 'everywhere', 'deleted', 'again']).optional().catch(undefined),
});

export const signUpSearchSchema = z.object({
  /** Token of the first-run link: signing up with it makes the user the operator. */
  operator: z.string().optional().catch(undefined),
  redirect: redirectSchema,
  email: emailSchema,
});

export const verifySearchSchema = z.object({
  redirect: redirectSchema,
  email: emailSchema,
  token: z.string().optional().catch(undefined),
});

export const forgotSearchSchema = z.object({ redirect: redirectSchema, email: emailSchema });

/** Search parameters passed from one auth page to the next. */
export function pickReturn({ redirect, email }: Return): Return {
  return { redirect, email };
}

interface Return {
  redirect?: string | undefined;
  email?: string | undefined;
}

export const resetSearchSchema = z.object({
  token: z.string().optional().catch(undefined),
  redirect: redirectSchema,
  /** The login has no password yet: its email was verified in another browser than the sign-up. */
  first: z.boolean().optional().catch(undefined),
});

export const tokenSearchSchema = z.object({ token: z.string().optional().catch(undefined) });
