import { describe, expect, it } from 'vitest';
import { OutputRates } from './output-rate.ts';

describe('OutputRates', () => {
  it('estimates hidden reasoning from the time and the rate of earlier answers', () => {
    const rates = new OutputRates();
    rates.note('thinker', { outputTokens: 1_000, visibleTokens: 20, durationMs: 10_000 });
    expect(rates.estimateTokens('thinker', 18, 10_000)).toBe(1_000);
    expect(rates.estimateTokens('thinker', 18, 5_000)).toBe(500);
  });

  it('counts only visible text of models that do not reason without showing it', () => {
    const rates = new OutputRates();
    rates.note('plain', { outputTokens: 100, visibleTokens: 90, durationMs: 1_000 });
    expect(rates.estimateTokens('plain', 10, 60_000)).toBe(10);
  });

  it('takes 40 tokens a second for models that have not answered yet, and never less than was seen', () => {
    const rates = new OutputRates();
    expect(rates.estimateTokens('new', 5, 1_000)).toBe(40);
    expect(rates.estimateTokens('new', 500, 1_000)).toBe(500);
  });

  it('follows a model whose speed changes, and ignores answers too short to judge by', () => {
    const rates = new OutputRates();
    rates.note('model', { outputTokens: 100, visibleTokens: 0, durationMs: 1_000 });
    rates.note('model', { outputTokens: 3, visibleTokens: 0, durationMs: 1_000 });
    expect(rates.estimateTokens('model', 0, 1_000)).toBe(100);
    rates.note('model', { outputTokens: 200, visibleTokens: 0, durationMs: 1_000 });
    expect(rates.estimateTokens('model', 0, 1_000)).toBe(120);
  });

  it('keeps the rates of a thousand models', () => {
    const rates = new OutputRates();
    for (let index = 0; index < 1_001; index += 1)
      rates.note(`model-${index}`, { outputTokens: 1_000, visibleTokens: 0, durationMs: 1_000 });
    expect(rates.estimateTokens('model-0', 0, 1_000)).toBe(40);
    expect(rates.estimateTokens('model-1000', 0, 1_000)).toBe(1_000);
  });
});
