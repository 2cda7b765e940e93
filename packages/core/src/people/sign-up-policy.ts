import { z } from 'zod';

/** Labels of letters, digits and dashes, two at least; international names in their ASCII form. */
const DOMAIN = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;

/** Who may sign up, as an operator sets it: everybody, those of some domains, or nobody. */
export const signUpPolicySchema = z
  .object({
    signUp: z.enum(['open', 'domains', 'closed']),
    domains: z
      .array(z.string().trim().toLowerCase().regex(DOMAIN, 'Enter domains such as example.com, one a line'))
      .max(100, 'Name at most 100 domains'),
  })
  .refine(({ signUp, domains }) => signUp !== 'domains' || domains.length > 0, {
    path: ['domains'],
    message: 'Name at least one domain',
  })
  .transform(({ signUp, domains }) => ({ signUp, domains: [...new Set(domains)] }));
