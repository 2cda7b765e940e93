import { describe, expect, it } from 'vitest';
import type { UsageReport } from '../usage/usage-report.ts';
import { decodeAnthropicUsage } from './decode-usage.ts';

const report = (usage: object, known: UsageReport | null = null) => decodeAnthropicUsage({ usage }, known);
const read = (usage: object, known: UsageReport | null = null) => report(usage, known)?.usage;

const START = {
  input_tokens: 10,
  cache_read_input_tokens: 20,
  cache_creation_input_tokens: 70,
  cache_creation: { ephemeral_5m_input_tokens: 30, ephemeral_1h_input_tokens: 40 },
  output_tokens: 1,
};
const DECODED = {
  inputTokens: 10,
  cacheReadTokens: 20,
  cacheWriteTokens: 30,
  cacheWrite1hTokens: 40,
  outputTokens: 1,
};

describe('decodeAnthropicUsage', () => {
  it('counts each token that was written to the cache once, by how long it is kept', () => {
    expect(read(START)).toEqual(DECODED);
  });

  it('keeps the cache lifetimes of the start when the end reports only the total', () => {
    const end = { cache_creation_input_tokens: 70, output_tokens: 9 };
    expect(read(end, report(START))).toEqual({ ...DECODED, outputTokens: 9 });
  });

  it('keeps counts that the end leaves out', () => {
    const end = { output_tokens: 9, cache_creation_input_tokens: null, cache_creation: null };
    expect(read(end, report(START))).toEqual({ ...DECODED, outputTokens: 9 });
  });

  it('counts writes of unknown lifetime as the known ones, and as estimated if those have two lifetimes', () => {
    const end = { cache_creation_input_tokens: 75 };
    expect(report(end, report(START))).toMatchObject({
      usage: { ...DECODED, cacheWrite1hTokens: 45 },
      isExact: false,
    });
    const fiveMinutes = { ...START, cache_creation: { ephemeral_5m_input_tokens: 70 } };
    expect(report(end, report(fiveMinutes))).toMatchObject({
      usage: { ...DECODED, cacheWriteTokens: 75, cacheWrite1hTokens: 0 },
      isExact: true,
    });
  });

  it('counts cache writes without lifetimes as 5-minute writes', () => {
    expect(read({ cache_creation_input_tokens: 70 })).toMatchObject({
      cacheWriteTokens: 70,
      cacheWrite1hTokens: 0,
    });
  });

  it('adds up the lifetimes if the sum is missing, and calls a smaller sum estimated', () => {
    const { cache_creation } = START;
    expect(read({ cache_creation })).toMatchObject({
      cacheWriteTokens: 30,
      cacheWrite1hTokens: 40,
    });
    expect(report({ cache_creation, cache_creation_input_tokens: 35 })).toMatchObject({
      usage: { cacheWriteTokens: 30, cacheWrite1hTokens: 40 },
      isExact: false,
    });
  });
});
