import { expect, it } from 'vitest';
import { signUpFormSchema } from './sign-up-form.ts';

it('reads domains however they are put apart, each once and in lower case', () => {
  const read = signUpFormSchema.parse({ signUp: 'domains', domains: '@Example.com, example.com\nb.example' });
  expect(read).toEqual({ signUp: 'domains', domains: ['example.com', 'b.example'] });
});

it.each([
  ['domains', ''],
  ['domains', 'localhost'],
  ['domains', 'someone@example.com'],
] as const)('refuses %s with %j', (signUp, domains) => {
  expect(signUpFormSchema.safeParse({ signUp, domains }).error?.issues[0]?.path[0]).toBe('domains');
});
