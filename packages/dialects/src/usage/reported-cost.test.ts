import { describe, expect, it } from 'vitest';
import { readReportedCost } from './reported-cost.ts';

describe('the cost that a provider reports', () => {
  it.each<[string, object, bigint | null]>([
    ['dollars', { cost: 0.000669 }, 669_000n],
    ['dollars with an exponent', { cost: 9.2e-5 }, 92_000n],
    ['dollars whose binary form is not exact', { cost: 0.1 + 0.2 }, 300_000_001n],
    ['less than a nano-dollar, rounded up', { cost: 1e-12 }, 1n],
    ['nothing', { cost: 0 }, 0n],
    ['dollars as a string', { cost: '0.0001346' }, 134_600n],
    ['a total next to its parts', { cost: { input_tokens_cost: 0.1, total_cost: 0.00504 } }, 5_040_000n],
    ['ticks of xAI', { cost_in_usd_ticks: 3_530_500 }, 353_050n],
    ['ticks of xAI, rounded up', { cost_in_usd_ticks: 11 }, 2n],
    [
      "a fee in addition to the cost at the operator's own provider",
      { cost: 0.001, is_byok: true, cost_details: { upstream_inference_cost: 0.02 } },
      21_000_000n,
    ],
    ['a negative amount', { cost: -1 }, null],
    ['more than a million dollars', { cost: 1e30 }, null],
    ['a word', { cost: 'free' }, null],
    ['no cost', { prompt_tokens: 1 }, null],
  ])('is read from %s', (_, usage, expected) => {
    expect(readReportedCost({ ...usage })).toBe(expected);
  });
});
