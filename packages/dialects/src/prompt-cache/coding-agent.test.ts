import { expect, it } from 'vitest';
import { isCodingAgent } from './coding-agent.ts';

it.each([
  'codex_cli_rs/0.171.0 (Debian 12; x86_64)',
  'codex_exec/0.171.0',
  'opencode/1.4.2 ai-sdk/provider-utils',
  'QwenCode/0.9.0 (linux; x64)',
  'Kilo-Code/4.120.0',
])('knows the agent %s', (userAgent) => {
  expect(isCodingAgent(userAgent)).toBe(true);
});

it.each([null, '', 'OpenAI/Python 1.99.1', 'curl/8.5.0', 'pip/24.0', 'my-codex/1'])(
  'takes %s for no agent',
  (userAgent) => {
    expect(isCodingAgent(userAgent)).toBe(false);
  },
);
