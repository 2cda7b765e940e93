import { NO_USAGE } from '@tollgate/core/money/money';
import type { UsageReport } from '@tollgate/dialects/usage/usage-report';
import { describe, expect, it } from 'vitest';
import { splitUsage, type ContinuedOutput } from './continued-usage.ts';

const report = (
  usage: Partial<UsageReport['usage']>,
  reasoningTokens: number | null = null,
): UsageReport => ({
  usage: { ...NO_USAGE, ...usage },
  reasoningTokens,
  hasInput: true,
  hasOutput: true,
  isExact: true,
  raw: {},
});
const OUTPUT: ContinuedOutput = {
  report: report({ inputTokens: 150, outputTokens: 40 }),
  isFinal: true,
  writtenTokens: 38,
  repeatedTokens: 0,
  hiddenTokens: 0,
  addedTokens: 50,
};
const RECEIVED = { ...NO_USAGE, inputTokens: 111, outputTokens: 20 };

describe('the usage of a continued stream', () => {
  it('has the input that the first provider reported', () => {
    const { billed, unbilled } = splitUsage({ usage: RECEIVED, hasInput: true }, OUTPUT);
    expect(billed).toMatchObject({ inputTokens: 111, outputTokens: 60 });
    expect(unbilled).toMatchObject({ inputTokens: 150, outputTokens: 0 });
  });

  it('has the input of the continuation without what was added, if only that was reported', () => {
    const cached = { ...OUTPUT, report: report({ inputTokens: 30, cacheReadTokens: 120, outputTokens: 40 }) };
    const { billed, unbilled } = splitUsage({ usage: RECEIVED, hasInput: false }, cached);
    expect(billed).toMatchObject({ inputTokens: 0, cacheReadTokens: 100, outputTokens: 60 });
    expect(unbilled).toMatchObject({ inputTokens: 30, cacheReadTokens: 120 });
  });

  it('has the estimated input if a long response has fewer tokens than its estimate', () => {
    const usage = { inputTokens: 11, cacheReadTokens: 4000, outputTokens: 40 };
    const long = { ...OUTPUT, report: report(usage), addedTokens: 5000 };
    const { billed, unbilled } = splitUsage({ usage: RECEIVED, hasInput: false }, long);
    expect(billed).toMatchObject({ inputTokens: 0, cacheReadTokens: 111 });
    expect(unbilled).toMatchObject({ inputTokens: 11, cacheReadTokens: 4000 });
  });

  it('has the estimated input if nothing was reported', () => {
    const unknown = { ...OUTPUT, report: null, isFinal: false };
    const { billed, unbilled } = splitUsage({ usage: RECEIVED, hasInput: false }, unknown);
    expect(billed).toMatchObject({ inputTokens: 111, outputTokens: 58 });
    expect(unbilled).toMatchObject({ inputTokens: 161, outputTokens: 0 });
  });

  it.each([
    ['repetitions', { repeatedTokens: 15 }, 15],
    ['reasoning that was read', { hiddenTokens: 10 }, 10],
    ['reasoning that was reported', { report: report({ inputTokens: 150, outputTokens: 40 }, 25) }, 25],
    ['never more than was written', { repeatedTokens: 90 }, 40],
  ])('leaves out %s', (_, change, discarded) => {
    const { billed, unbilled } = splitUsage({ usage: RECEIVED, hasInput: true }, { ...OUTPUT, ...change });
    expect(billed.outputTokens).toBe(60 - discarded);
    expect(unbilled.outputTokens).toBe(discarded);
  });
});
