import { z } from 'zod';

/** At least two labels of letters, digits and dashes; international names in ASCII form. */
const DOMAIN = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;

/** Who may sign up: anyone, selected domains, or invited users only. */
export const signUpPolicySchema = z
  .object({
    signUp: z.enum(['open', 'domains', 'closed']),
    domains: z
      .array(z.string().trim().toLowerCase().regex(DOMAIN, 'Enter domains such as example.com, one per line'))
      .max(100, 'Enter at most 100 domains'),
  })
  .refine(({ signUp, domains }) => signUp !== 'domains' || domains.length > 0, {
    path: ['domains'],
    message: 'Enter at least one domain',
  })
  .transform(({ signUp, domains }) => ({ signUp, domains: [...new Set(domains)] }));
