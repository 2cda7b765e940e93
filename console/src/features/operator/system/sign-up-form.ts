import { signUpPolicySchema } from '@tollgate/core/people/sign-up-policy';
import { z } from 'zod';

export const SIGN_UP_CHOICES = [
  { value: 'open', label: 'Anyone' },
  { value: 'domains', label: 'Selected domains' },
  { value: 'closed', label: 'Invite only' },
] as const;

/** The policy as entered, with domains separated by commas or line breaks. */
export const signUpFormSchema = z
  .object({ signUp: z.enum(['open', 'domains', 'closed']), domains: z.string() })
  .transform(({ signUp, domains }) => ({
    signUp,
    domains: domains
      .split(/[\s,;]+/)
      .map((domain) => domain.replace(/^@/, ''))
      .filter((domain) => domain !== ''),
  }))
  .pipe(signUpPolicySchema);

export type SignUpForm = z.input<typeof signUpFormSchema>;
export type SignUpPolicy = z.output<typeof signUpFormSchema>;
