import { expect, it } from 'vitest';
import { clientFamily, describeClient } from './client-family.ts';

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

it.each([
  ['claude-cli/2.1.332 (external, sdk-cli)', 'claude-cli 2.1.332'],
  ['OpenAI/Python 1.99.1', 'OpenAI/Python 1.99.1'],
  ['ai/7.0.173 ai-sdk-provider-utils/5.0.81', 'ai 7.0.173'],
  ['curl/v8', 'curl 8'],
  ['agent/1.2.3-beta.1 secret-name', 'agent 1.2.3'],
  ['node', 'node'],
  ['program/1234567', 'program'],
  [
    `${'a'.repeat(20)}/${'b'.repeat(19)} 123456.123456.123456.123456.5`,
    `${'a'.repeat(20)}/${'b'.repeat(19)} 123456.123456.123456.123456`,
  ],
  ['Mozilla/5.0 (X11; Linux) <script>', 'Mozilla 5.0'],
  ['<script>', null],
  ['', null],
  [null, null],
])('%s is described as %s', (userAgent, client) => {
  expect(describeClient(userAgent)).toBe(client);
});
