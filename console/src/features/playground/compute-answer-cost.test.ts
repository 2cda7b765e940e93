import { NO_USAGE } from '@tollgate/core/money/money';
import { expect, it } from 'vitest';
import type { Catalogue } from '../../lib/trpc.ts';
import { costOfAnswer } from './compute-answer-cost.ts';

const none = { cacheReadUsd: null, cacheWriteUsd: null, cacheWrite1hUsd: null };
const catalogue: Catalogue = {
  plan: { pricePpm: 1_200_000, isPrepaid: true },
  models: [
    {
      id: 'm',
      title: '',
      availability: 'available',
      contextTokens: null,
      maxOutputTokens: null,
      capabilities: [],
      retiresAt: null,
      prices: {
        ...none,
        inputUsd: '3.00',
        outputUsd: '15.00',
        cacheReadUsd: '0.30',
        longInput: { ...none, aboveInputTokens: 100, inputUsd: '6.00', outputUsd: '30.00' },
        rates: [
          { rate: 'tool_calls:web_search', value: '10' },
          { rate: 'tokens:audio_output', value: '100' },
        ],
      },
      planPrices: null,
    },
  ],
};

it('costs each class of tokens at its price, times what the plan charges', () => {
  const usage = { ...NO_USAGE, inputTokens: 50, cacheReadTokens: 50, outputTokens: 10 };
  // (50 × 3000 + 50 × 300 + 10 × 15000) nano-dollars × 1.2
  expect(costOfAnswer(catalogue, 'm', usage)).toBe(378_000n);
});

it('costs calls of server tools and audio at their additional rates', () => {
  const extras = { toolCalls: { web_search: 2 }, audioOutputTokens: 10 };
  // 2 × $0.01 and 10 × $0.0001, × 1.2
  expect(costOfAnswer(catalogue, 'm', { ...NO_USAGE, extras })).toBe(25_200_000n);
});

it('costs long input at the prices for long input', () => {
  const usage = { ...NO_USAGE, inputTokens: 101, outputTokens: 1 };
  expect(costOfAnswer(catalogue, 'm', usage)).toBe(((101n * 6_000n + 30_000n) * 12n) / 10n);
});

it('has no cost if the model has no price', () => {
  expect(costOfAnswer(catalogue, 'unknown', NO_USAGE)).toBeNull();
});
