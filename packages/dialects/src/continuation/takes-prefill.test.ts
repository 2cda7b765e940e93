import { expect, it } from 'vitest';
import { findPrefill, type PrefillTarget } from './takes-prefill.ts';

const CLAUDE: PrefillTarget = {
  dialect: 'anthropic-messages',
  upstreamModel: 'claude-sonnet-4-5',
  preset: 'anthropic',
  baseUrl: 'https://api.anthropic.com/v1',
  reasons: false,
};
const CHAT: PrefillTarget = {
  ...CLAUDE,
  dialect: 'openai-chat',
  upstreamModel: 'm',
  baseUrl: 'https://x.test/v1',
};

it.each<[string, PrefillTarget, ReturnType<typeof findPrefill>]>([
  ['Claude 4.5', CLAUDE, 'plain'],
  [
    'Claude 4.5 at Bedrock',
    { ...CLAUDE, upstreamModel: 'us.anthropic.claude-haiku-4-5-20251001-v1:0' },
    'plain',
  ],
  ['Claude 4.5 that thinks', { ...CLAUDE, reasons: true }, null],
  ['Claude 4.6', { ...CLAUDE, upstreamModel: 'claude-opus-4-6' }, null],
  ['Claude 5.5', { ...CLAUDE, upstreamModel: 'claude-sonnet-5-5' }, null],
  ['a later Claude', { ...CLAUDE, upstreamModel: 'claude-opus-9' }, null],
  ['another model of the dialect', { ...CLAUDE, upstreamModel: 'kimi-k3' }, null],
  ['Mistral', { ...CHAT, preset: 'mistral' }, 'marked'],
  ['DeepSeek', { ...CHAT, preset: 'deepseek', baseUrl: 'https://api.deepseek.com' }, null],
  [
    'the beta address of DeepSeek',
    { ...CHAT, preset: 'deepseek', baseUrl: 'https://api.deepseek.com/beta' },
    'marked',
  ],
  ['a custom server', { ...CHAT, preset: null }, null],
  ['the Responses API', { ...CHAT, dialect: 'openai-responses' }, null],
])('knows whether a message is continued by %s', (_, target, expected) => {
  expect(findPrefill(target)).toBe(expected);
});
