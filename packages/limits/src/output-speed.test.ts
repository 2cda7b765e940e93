import { describe, expect, it } from 'vitest';
import { OutputSpeeds, type CutAnswer, type OutputSample } from './output-speed.ts';

const A = 'acct_a';
const B = 'acct_b';
const sample = (given: Partial<OutputSample>): OutputSample => ({
  model: 'model',
  mode: 'unknown',
  outputTokens: 100,
  visibleTokens: 100,
  reasoningTokens: null,
  durationMs: 1_000,
  silentMs: null,
  ...given,
});
/** One second of hidden reasoning at the given tokens per second. */
const hidden = (outputTokens: number, model = 'model') => sample({ model, outputTokens, visibleTokens: 0 });
const cut = (elapsedMs: number, visibleTokens = 0, given: Partial<CutAnswer> = {}): CutAnswer => ({
  model: 'model',
  mode: 'unknown',
  visibleTokens,
  elapsedMs,
  silentMs: 0,
  ...given,
});
const billed = (speeds: OutputSpeeds, accountId: string, answer: CutAnswer) =>
  speeds.estimate(accountId, answer).billedTokens;

describe('OutputSpeeds', () => {
  it('estimates hidden reasoning from the time and the speed of earlier responses', () => {
    const speeds = new OutputSpeeds();
    speeds.note(A, sample({ outputTokens: 1_000, visibleTokens: 20, durationMs: 10_000 }));
    expect(billed(speeds, A, cut(10_000, 18))).toBe(1_000);
    expect(billed(speeds, A, cut(5_000, 18))).toBe(500);
    expect(billed(speeds, B, cut(5_000, 18))).toBe(500);
  });

  it('counts only visible text for models without hidden reasoning', () => {
    const speeds = new OutputSpeeds();
    speeds.note(A, sample({ outputTokens: 100, visibleTokens: 90 }));
    expect(billed(speeds, A, cut(60_000, 10))).toBe(10);
  });

  it('assumes 40 tokens a second for new models, and at least the visible output', () => {
    const speeds = new OutputSpeeds();
    expect(billed(speeds, A, cut(1_000, 5, { mode: 'on' }))).toBe(40);
    expect(billed(speeds, A, cut(1_000, 500, { mode: 'on' }))).toBe(500);
  });

  it('bills only unusual silence of a new model that may reason', () => {
    const speeds = new OutputSpeeds();
    // The text came after 20 ms, and then for 17 seconds.
    expect(speeds.estimate(A, cut(17_000, 170, { silentMs: 20 }))).toEqual({
      billedTokens: 170,
      likelyTokens: 680,
    });
    expect(billed(speeds, A, cut(17_000, 170, { silentMs: 3_000 }))).toBe(170 + 80);
    expect(billed(speeds, A, cut(3_000, 0, { silentMs: null }))).toBe(80);
  });

  it('adapts to changing speed and ignores short responses', () => {
    const speeds = new OutputSpeeds();
    speeds.note(A, hidden(100));
    speeds.note(A, hidden(3));
    expect(billed(speeds, A, cut(1_000))).toBe(100);
    speeds.note(A, hidden(200));
    expect(billed(speeds, A, cut(1_000))).toBe(120);
  });

  it.each([
    ['slow', sample({ outputTokens: 16, visibleTokens: 0, durationMs: 60_000 })],
    ['fast', sample({ outputTokens: 5_000, visibleTokens: 0 })],
    ['without hidden reasoning', sample({ outputTokens: 5_000, visibleTokens: 5_000 })],
  ])('limits the effect of one account to the speed of another account: %s', (_, evil) => {
    const speeds = new OutputSpeeds();
    const honest = { acct_1: 90, acct_2: 100, acct_3: 110, acct_4: 120 };
    for (const [account, speed] of Object.entries(honest)) speeds.note(account, hidden(speed));
    for (let i = 0; i < 10_000; i += 1) speeds.note('acct_evil', evil);
    for (const account of ['acct_1', 'acct_new', 'acct_evil'])
      expect([90, 100, 110, 120]).toContain(billed(speeds, account, cut(1_000, 1)));
  });

  it('accepts the speed of a single other account within four times the default', () => {
    const speeds = new OutputSpeeds();
    for (let i = 0; i < 1_000; i += 1) speeds.note(A, hidden(5_000));
    expect(billed(speeds, B, cut(1_000))).toBe(160);
    for (let i = 0; i < 1_000; i += 1) speeds.note(A, { ...hidden(16), durationMs: 60_000 });
    expect(billed(speeds, B, cut(1_000))).toBe(10);
    // A single other account does not change an account's own speed.
    speeds.note(B, hidden(300));
    expect(billed(speeds, B, cut(1_000))).toBe(300);
  });

  it('keeps the speeds of 1,000 models with 32 accounts each', () => {
    const speeds = new OutputSpeeds();
    for (let index = 0; index < 1_001; index += 1) speeds.note(A, hidden(1_000, `model-${index}`));
    expect(billed(speeds, A, cut(1_000, 0, { model: 'model-0', mode: 'on' }))).toBe(40);
    expect(billed(speeds, A, cut(1_000, 0, { model: 'model-1000' }))).toBe(1_000);
    for (let index = 0; index < 32; index += 1) speeds.note(`acct_${index}`, hidden(50, 'model-1000'));
    for (let index = 0; index < 32; index += 1) speeds.note(`acct_${index + 32}`, hidden(70, 'model-1000'));
    expect(billed(speeds, A, cut(1_000, 0, { model: 'model-1000' }))).toBe(70);
  });

  it.each(['on', 'off', 'none', 'unknown'] as const)(
    'records the rest of the likely output that it does not bill: reasoning %s',
    (mode) => {
      const speeds = new OutputSpeeds();
      for (const account of [A, B, 'acct_c']) speeds.note(account, sample({ mode, silentMs: 200 }));
      const answer = cut(10_000, 10, { mode, silentMs: 9_900 });
      // Unknown: 8.9 s of unusual silence, besides the text.
      const tokens = { on: 1_000, off: 10, none: 10, unknown: 900 }[mode];
      expect(speeds.estimate(A, answer)).toEqual({ billedTokens: tokens, likelyTokens: 1_000 });
    },
  );

  it('estimates hidden reasoning that a request asks for, however many responses had none', () => {
    const speeds = new OutputSpeeds();
    for (let i = 0; i < 1_000; i += 1) speeds.note(A, sample({ mode: 'on', silentMs: 50 }));
    expect(billed(speeds, A, cut(3_000, 6, { mode: 'on', silentMs: 2_900 }))).toBe(300);
  });

  it('remembers reasoning after responses without any, in the mode in which it was seen', () => {
    const speeds = new OutputSpeeds();
    speeds.note(A, hidden(100));
    for (let i = 0; i < 1_000; i += 1) speeds.note(A, sample({}));
    expect(billed(speeds, A, cut(3_000, 6))).toBe(300);
    speeds.note(B, sample({ mode: 'off', reasoningTokens: 50 }));
    expect(billed(speeds, A, cut(3_000, 6, { mode: 'off' }))).toBe(300);
    expect(billed(speeds, A, cut(3_000, 6, { mode: 'none' }))).toBe(6);
  });

  it('bills no silence that is usual for the model', () => {
    const speeds = new OutputSpeeds();
    speeds.note(A, sample({ silentMs: 4_000 }));
    expect(billed(speeds, A, cut(7_000, 20, { silentMs: 6_800 }))).toBe(20);
  });
});
