import { NO_USAGE } from '@tollgate/core/money/money';
import { expect, it } from 'vitest';
import { getLimitedTokens } from './settlement-values.ts';

const usage = {
  ...NO_USAGE,
  inputTokens: 500,
  cacheReadTokens: 21_000,
  cacheWriteTokens: 200,
  outputTokens: 30,
};
const ALL = 21_730;
const WITHOUT_READS = 730;

it.each([
  ['claude-opus-5', WITHOUT_READS],
  ['anthropic.claude-sonnet-5-v1:0', WITHOUT_READS],
  ['us.anthropic.claude-sonnet-5-v1:0', WITHOUT_READS],
  ['anthropic/claude-opus-5', WITHOUT_READS],
  ['gpt-5.5', ALL],
  ['not-claude', ALL],
])(
  'counts input from a cache in the tokens per minute as the maker of the model does: %s',
  (model, tokens) => {
    expect(getLimitedTokens(usage, { countsCacheReads: null }, { upstreamModel: model })).toBe(tokens);
  },
);

it.each([
  [true, ALL],
  [false, WITHOUT_READS],
])('counts it as the plan says: %s', (countsCacheReads, tokens) => {
  for (const upstreamModel of ['claude-opus-5', 'gpt-5.5'])
    expect(getLimitedTokens(usage, { countsCacheReads }, { upstreamModel })).toBe(tokens);
});

it('counts all tokens of a request that reached no provider', () => {
  expect(getLimitedTokens(usage, { countsCacheReads: null }, null)).toBe(ALL);
});
