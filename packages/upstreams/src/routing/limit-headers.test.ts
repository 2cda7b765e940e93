import { expect, it } from 'vitest';
import { parseLimitResetMs } from './limit-headers.ts';

const NOW_MS = Date.parse('2026-11-27T10:00:00Z');
const parse = (headers: Record<string, string>) => parseLimitResetMs((name) => headers[name] ?? null, NOW_MS);

it.each([
  ['1s', 1_000],
  ['6m0s', 360_000],
  ['120ms', 120],
  ['1h0m2.5s', 3_602_500],
  ['59.5', 59_500],
  ['2026-11-27T10:00:30Z', 30_000],
])('reads when a limit of which nothing is left allows more: %s', (reset, waitMs) => {
  const headers = { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': reset };
  expect(parse(headers)).toBe(waitMs);
});

it('waits for the last of several limits, and only for those of which nothing is left', () => {
  const tokens = {
    'anthropic-ratelimit-requests-remaining': '3',
    'anthropic-ratelimit-requests-reset': '2026-11-27T11:00:00Z',
    'anthropic-ratelimit-input-tokens-remaining': '0',
    'anthropic-ratelimit-input-tokens-reset': '2026-11-27T10:00:20Z',
    'anthropic-ratelimit-output-tokens-remaining': '0',
    'anthropic-ratelimit-output-tokens-reset': '2026-11-27T10:00:10Z',
  };
  expect(parse(tokens)).toBe(20_000);
});

it.each([
  {},
  { 'x-ratelimit-remaining-requests': '0' },
  { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': 'soon' },
])('waits for nothing in %j', (headers) => expect(parse(headers)).toBe(null));
