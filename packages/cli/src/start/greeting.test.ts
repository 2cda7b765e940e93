import { expect, it } from 'vitest';
import { composeGreeting, type GreetingFacts } from './greeting.ts';

const FACTS: GreetingFacts = {
  publicApiUrl: 'http://127.0.0.1:8787/v1',
  publicConsoleUrl: 'http://127.0.0.1:3000',
  seconds: '1.0',
  operatorLink: 'http://127.0.0.1:3000/sign-up?operator=token',
  localTools: null,
  model: 'tollgate-demo',
  cliVariables: null,
  isEmbedded: true,
};

it('shows how to create the first operator', () => {
  expect(composeGreeting(FACTS)).toMatch(/account create .* --operator\n.*key create/);
});

it('shows only how to create a key if the installation has an operator', () => {
  const text = composeGreeting({ ...FACTS, operatorLink: null });
  expect(text).not.toContain('account create');
  expect(text).not.toContain('no operator yet');
  expect(text).toContain('key create --account you@example.com');
});
