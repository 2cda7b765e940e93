import { expect, it } from 'vitest';
import { clientFamily } from './client-family.ts';

it.each([
  ['claude-cli/2.1.294 (external, cli)', 'claude-cli'],
  ['codex_cli_rs/0.50.0 (Debian 12; x86_64)', 'codex_cli_rs'],
  ['OpenAI/Python 1.99.1', 'OpenAI/Python'],
  ['Anthropic/JS 0.68.0', 'Anthropic/JS'],
  ['python-requests/2.32.0', 'python-requests'],
  ['curl/v8', 'curl'],
  [null, 'other'],
  ['', 'other'],
  ['<script>', 'other'],
])('%s is of the family %s', (userAgent, family) => {
  expect(clientFamily(userAgent)).toBe(family);
});
