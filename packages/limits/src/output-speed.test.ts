import { describe, expect, it } from 'vitest';
import { OutputSpeeds } from './output-speed.ts';

const A = 'acct_a';
const B = 'acct_b';
/** One second of hidden reasoning at the given tokens per second. */
const hidden = (outputTokens: number, model = 'model') => ({
  model,
  outputTokens,
  visibleTokens: 0,
  durationMs: 1_000,
});
const cut = (elapsedMs: number, visibleTokens = 0, model = 'model') => ({ model, visibleTokens, elapsedMs });

describe('OutputSpeeds', () => {
  it('estimates hidden reasoning from the time and the speed of earlier responses', () => {
    const speeds = new OutputSpeeds();
    speeds.note(A, { model: 'model', outputTokens: 1_000, visibleTokens: 20, durationMs: 10_000 });
    expect(speeds.estimateTokens(A, cut(10_000, 18))).toBe(1_000);
    expect(speeds.estimateTokens(A, cut(5_000, 18))).toBe(500);
    expect(speeds.estimateTokens(B, cut(5_000, 18))).toBe(500);
  });

  it('counts only visible text for models without hidden reasoning', () => {
    const speeds = new OutputSpeeds();
    speeds.note(A, { model: 'model', outputTokens: 100, visibleTokens: 90, durationMs: 1_000 });
    expect(speeds.estimateTokens(A, cut(60_000, 10))).toBe(10);
  });

  it('assumes 40 tokens a second for new models, and at least the visible output', () => {
    const speeds = new OutputSpeeds();
    expect(speeds.estimateTokens(A, cut(1_000, 5))).toBe(40);
    expect(speeds.estimateTokens(A, cut(1_000, 500))).toBe(500);
  });

  it('adapts to changing speed and ignores short responses', () => {
    const speeds = new OutputSpeeds();
    speeds.note(A, hidden(100));
    speeds.note(A, hidden(3));
    expect(speeds.estimateTokens(A, cut(1_000))).toBe(100);
    speeds.note(A, hidden(200));
    expect(speeds.estimateTokens(A, cut(1_000))).toBe(120);
  });

  it.each([
    ['slow', { model: 'model', outputTokens: 16, visibleTokens: 0, durationMs: 60_000 }],
    ['fast', { model: 'model', outputTokens: 5_000, visibleTokens: 0, durationMs: 1_000 }],
    [
      'without hidden reasoning',
      { model: 'model', outputTokens: 5_000, visibleTokens: 5_000, durationMs: 1_000 },
    ],
  ])('limits the effect of one account to the speed of another account: %s', (_, sample) => {
    const speeds = new OutputSpeeds();
    const honest = { acct_1: 90, acct_2: 100, acct_3: 110, acct_4: 120 };
    for (const [account, speed] of Object.entries(honest)) speeds.note(account, hidden(speed));
    for (let i = 0; i < 10_000; i += 1) speeds.note('acct_evil', sample);
    for (const account of ['acct_1', 'acct_new', 'acct_evil'])
      expect([90, 100, 110, 120]).toContain(speeds.estimateTokens(account, cut(1_000, 1)));
  });

  it('accepts the speed of a single other account within four times the default', () => {
    const speeds = new OutputSpeeds();
    for (let i = 0; i < 1_000; i += 1) speeds.note(A, hidden(5_000));
    expect(speeds.estimateTokens(B, cut(1_000))).toBe(160);
    for (let i = 0; i < 1_000; i += 1) speeds.note(A, { ...hidden(16), durationMs: 60_000 });
    expect(speeds.estimateTokens(B, cut(1_000))).toBe(10);
    // A single other account does not change an account's own speed.
    speeds.note(B, hidden(300));
    expect(speeds.estimateTokens(B, cut(1_000))).toBe(300);
  });

  it('keeps the speeds of 1,000 models with 32 accounts each', () => {
    const speeds = new OutputSpeeds();
    for (let index = 0; index < 1_001; index += 1) speeds.note(A, hidden(1_000, `model-${index}`));
    expect(speeds.estimateTokens(A, cut(1_000, 0, 'model-0'))).toBe(40);
    expect(speeds.estimateTokens(A, cut(1_000, 0, 'model-1000'))).toBe(1_000);
    for (let index = 0; index < 32; index += 1) speeds.note(`acct_${index}`, hidden(50, 'model-1000'));
    for (let index = 0; index < 32; index += 1) speeds.note(`acct_${index + 32}`, hidden(70, 'model-1000'));
    expect(speeds.estimateTokens(A, cut(1_000, 0, 'model-1000'))).toBe(70);
  });
});
