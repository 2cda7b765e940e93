import { describe, expect, it } from 'vitest';
import { OutputRates } from './output-rate.ts';

const A = 'acct_a';
const B = 'acct_b';
/** One second of hidden reasoning at the given tokens per second. */
const thought = (outputTokens: number, model = 'model') => ({
  model,
  outputTokens,
  visibleTokens: 0,
  durationMs: 1_000,
});
const cut = (elapsedMs: number, visibleTokens = 0, model = 'model') => ({ model, visibleTokens, elapsedMs });

describe('OutputRates', () => {
  it('estimates hidden reasoning from time and the rate of earlier responses', () => {
    const rates = new OutputRates();
    rates.note(A, { model: 'model', outputTokens: 1_000, visibleTokens: 20, durationMs: 10_000 });
    expect(rates.estimateTokens(A, cut(10_000, 18))).toBe(1_000);
    expect(rates.estimateTokens(A, cut(5_000, 18))).toBe(500);
    expect(rates.estimateTokens(B, cut(5_000, 18))).toBe(500);
  });

  it('counts only visible text for models without hidden reasoning', () => {
    const rates = new OutputRates();
    rates.note(A, { model: 'model', outputTokens: 100, visibleTokens: 90, durationMs: 1_000 });
    expect(rates.estimateTokens(A, cut(60_000, 10))).toBe(10);
  });

  it('assumes 40 tokens a second for new models, and at least the visible output', () => {
    const rates = new OutputRates();
    expect(rates.estimateTokens(A, cut(1_000, 5))).toBe(40);
    expect(rates.estimateTokens(A, cut(1_000, 500))).toBe(500);
  });

  it('adapts to changing speed and ignores short responses', () => {
    const rates = new OutputRates();
    rates.note(A, thought(100));
    rates.note(A, thought(3));
    expect(rates.estimateTokens(A, cut(1_000))).toBe(100);
    rates.note(A, thought(200));
    expect(rates.estimateTokens(A, cut(1_000))).toBe(120);
  });

  it.each([
    ['slow', { model: 'model', outputTokens: 16, visibleTokens: 0, durationMs: 60_000 }],
    ['fast', { model: 'model', outputTokens: 5_000, visibleTokens: 0, durationMs: 1_000 }],
    [
      'without hidden reasoning',
      { model: 'model', outputTokens: 5_000, visibleTokens: 5_000, durationMs: 1_000 },
    ],
  ])('limits the effect of one account to the rate of another account: %s', (_, sample) => {
    const rates = new OutputRates();
    const honest = { acct_1: 90, acct_2: 100, acct_3: 110, acct_4: 120 };
    for (const [account, rate] of Object.entries(honest)) rates.note(account, thought(rate));
    for (let i = 0; i < 10_000; i += 1) rates.note('acct_evil', sample);
    for (const account of ['acct_1', 'acct_new', 'acct_evil'])
      expect([90, 100, 110, 120]).toContain(rates.estimateTokens(account, cut(1_000, 1)));
  });

  it('accepts the rate of a single other account within four times the default', () => {
    const rates = new OutputRates();
    for (let i = 0; i < 1_000; i += 1) rates.note(A, thought(5_000));
    expect(rates.estimateTokens(B, cut(1_000))).toBe(160);
    for (let i = 0; i < 1_000; i += 1) rates.note(A, { ...thought(16), durationMs: 60_000 });
    expect(rates.estimateTokens(B, cut(1_000))).toBe(10);
    // A single other account does not change an account's own rate.
    rates.note(B, thought(300));
    expect(rates.estimateTokens(B, cut(1_000))).toBe(300);
  });

  it('keeps rates of 1,000 models with 32 accounts each', () => {
    const rates = new OutputRates();
    for (let index = 0; index < 1_001; index += 1) rates.note(A, thought(1_000, `model-${index}`));
    expect(rates.estimateTokens(A, cut(1_000, 0, 'model-0'))).toBe(40);
    expect(rates.estimateTokens(A, cut(1_000, 0, 'model-1000'))).toBe(1_000);
    for (let index = 0; index < 32; index += 1) rates.note(`acct_${index}`, thought(50, 'model-1000'));
    for (let index = 0; index < 32; index += 1) rates.note(`acct_${index + 32}`, thought(70, 'model-1000'));
    expect(rates.estimateTokens(A, cut(1_000, 0, 'model-1000'))).toBe(70);
  });
});
