import { expect, it } from 'vitest';
import { signUpFormSchema } from './sign-up-form.ts';

it('accepts any domain separator, lowercases and deduplicates domains', () => {
  const read = signUpFormSchema.parse({ signUp: 'domains', domains: '@Example.com, example.com\nb.example' });
  expect(read).toEqual({ signUp: 'domains', domains: ['example.com', 'b.example'] });
});

it.each([
  ['domains', ''],
  ['domains', 'localhost'],
  ['domains', 'someone@example.com'],
] as const)('rejects %s with %j', (signUp, domains) => {
  expect(signUpFormSchema.safeParse({ signUp, domains }).error?.issues[0]?.path[0]).toBe('domains');
});
