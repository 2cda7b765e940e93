import { Buffer } from 'node:buffer';
import { computeCost } from '@tollgate/core/money/rates/compute-cost';
import { describe, expect, it } from 'vitest';
import { anthropicStreamRules } from '../anthropic-messages/stream-rules.ts';
import { decodeOpenAiUsage } from '../openai-chat/decode-usage.ts';
import { createOpenAiStreamRules } from '../openai-chat/stream-rules.ts';
import { StreamTap } from '../stream-tap.ts';
import type { StreamRules } from '../stream-rules.ts';
import { completeUsage } from './complete-usage.ts';
import { decodeStoredUsage } from './decode-stored-usage.ts';
import { readUsage } from './read-usage.ts';
import { writeRawUsage } from './raw-usage.ts';

const DELIVERED = { likelyInputTokens: 11, estimateInput: () => 11, outputTokens: 3, leastOutputTokens: 1 };
const complete = (usage: object) =>
  completeUsage(readUsage(JSON.parse(JSON.stringify(usage))), { ...DELIVERED, tokensSinceReport: 0 });

function stream(rules: StreamRules, events: readonly object[]) {
  const tap = new StreamTap(rules);
  for (const event of events) tap.push(Buffer.from(`data: ${JSON.stringify(event)}\n\n`));
  return tap;
}

describe('usage in a choice', () => {
  const usage = { prompt_tokens: 10, completion_tokens: 400 };
  const last = { choices: [{ delta: {}, finish_reason: 'stop', usage }] };

  it('is found in the last chunk of a stream', () => {
    const tap = stream(createOpenAiStreamRules(true), [{ choices: [{ delta: { content: 'Hi' } }] }, last]);
    expect(tap.report).toMatchObject({ usage: { inputTokens: 10, outputTokens: 400 }, isExact: true });
    expect(tap.isReportFinal).toBe(true);
  });

  const ofChoice = (index: number, completion: number) => ({
    index,
    delta: {},
    finish_reason: 'stop',
    usage: {
      prompt_tokens: 10,
      completion_tokens: completion,
      total_tokens: 10 + completion,
      completion_tokens_details: { reasoning_tokens: completion - 1 },
    },
  });

  it.each([
    ['the larger first', [90, 80]],
    ['the smaller first', [80, 90]],
  ])('adds up the output of several choices, %s', (_, [first = 0, second = 0]) => {
    const tap = stream(createOpenAiStreamRules(true), [
      { choices: [ofChoice(0, 1)] },
      { choices: [ofChoice(0, first)] },
      { choices: [ofChoice(1, second)] },
    ]);
    const whole = decodeOpenAiUsage({ choices: [ofChoice(0, first), ofChoice(1, second)] });
    for (const report of [tap.report, whole])
      expect(report).toMatchObject({
        usage: { inputTokens: 10, outputTokens: 170 },
        reasoningTokens: 168,
        isExact: true,
      });
  });

  it('comes after that of the chunk, and is found nowhere else', () => {
    const own = { prompt_tokens: 10, completion_tokens: 500 };
    expect(decodeOpenAiUsage({ ...last, usage: own })?.usage.outputTokens).toBe(500);
    const call = { function: { name: 'f', arguments: JSON.stringify({ usage }) }, usage };
    for (const delta of [{ content: JSON.stringify({ usage }) }, { tool_calls: [call] }, { usage }])
      expect(decodeOpenAiUsage({ choices: [{ delta }] })).toBeNull();
  });
});

describe('a total without its parts', () => {
  it('is the minimum that is billed: the part beyond the estimated input is output', () => {
    expect(complete({ total_tokens: 1_300 })).toMatchObject({
      usage: { inputTokens: 11, outputTokens: 1_289 },
      estimated: true,
    });
    expect(complete({ totalTokens: '1300' }).usage.outputTokens).toBe(1_289);
  });

  it('adds nothing that is there already', () => {
    expect(complete({ total_tokens: 9 }).usage).toMatchObject({ inputTokens: 11, outputTokens: 3 });
    const reported = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 };
    expect(complete(reported)).toMatchObject({
      usage: { inputTokens: 20, outputTokens: 5 },
      estimated: false,
    });
  });

  it('is input if only the output was reported', () => {
    const { usage, estimated } = complete({ completion_tokens: 5, total_tokens: 1_300 });
    expect(usage).toMatchObject({ inputTokens: 1_295, outputTokens: 5 });
    expect(estimated).toBe(true);
  });
});

describe('output of a stream that falls', () => {
  const chunk = (tokens: number, extra: object = {}) => ({
    choices: [],
    usage: { prompt_tokens: 10, completion_tokens: tokens, ...extra },
  });

  it('counts as the larger one, and is estimated', () => {
    const { report } = stream(createOpenAiStreamRules(true), [chunk(300), chunk(20), chunk(21)]);
    expect(report).toMatchObject({ usage: { outputTokens: 300 }, isExact: false });
    const events = [300, 20].map((tokens) => ({ type: 'message_delta', usage: { output_tokens: tokens } }));
    const anthropic = stream(anthropicStreamRules, events).report;
    expect(anthropic).toMatchObject({ usage: { outputTokens: 300 }, isExact: false });
  });

  it('is exact while it grows, for any input count', () => {
    const { report } = stream(createOpenAiStreamRules(true), [chunk(20), chunk(300, { prompt_tokens: 8 })]);
    expect(report).toMatchObject({ usage: { inputTokens: 8, outputTokens: 300 }, isExact: true });
  });
});

describe('iterations', () => {
  const compaction = (tokens: number, model?: string) => ({
    type: model === undefined ? 'compaction' : 'advisor_message',
    ...(model !== undefined && { model }),
    input_tokens: tokens,
    output_tokens: 1,
  });
  const read = (iterations: object[]) =>
    readUsage(JSON.parse(JSON.stringify({ input_tokens: 5, output_tokens: 5, iterations })));

  it('are all billed, in any number', () => {
    const many = Array.from({ length: 100 }, () => compaction(1_000));
    const { usage, isExact } = read([...many, compaction(50, 'advisor')]);
    const found = usage.extras?.iterations ?? [];
    expect(found.length).toBeLessThanOrEqual(64);
    expect(isExact).toBe(false);
    const sum = (model: string | null) =>
      found.filter((each) => each.model === model).reduce((total, each) => total + each.usage.inputTokens, 0);
    expect([sum(null), sum('advisor')]).toEqual([100_000, 50]);
    const card = {
      inputNanoUsdPerMtok: 1_000_000n,
      outputNanoUsdPerMtok: 0n,
      cacheReadNanoUsdPerMtok: null,
      cacheWriteNanoUsdPerMtok: null,
      cacheWrite1hNanoUsdPerMtok: null,
    };
    const own = { ...usage, extras: { iterations: found.filter(({ model }) => model === null) } };
    expect(computeCost(own, card)).toBe(100_005n);
  });

  it('of more models than the limit are billed as the last model within it', () => {
    const { usage } = read(Array.from({ length: 200 }, (_, at) => compaction(10, `m${at}`)));
    const found = usage.extras?.iterations ?? [];
    expect(found).toHaveLength(64);
    expect(found.reduce((total, each) => total + each.usage.inputTokens, 0)).toBe(2_000);
  });

  it('name models as they are stored, so that the stored report decodes to the same', () => {
    const model = `x\u0000\ud800${'y'.repeat(300)}`;
    const raw = JSON.parse(
      JSON.stringify({ input_tokens: 5, output_tokens: 5, iterations: [compaction(1, model)] }),
    );
    const { usage } = readUsage(raw);
    expect(usage.extras?.iterations?.[0]?.model).toBe(`x\ufffd${'y'.repeat(197)}`);
    const rawUsage = writeRawUsage(raw, String);
    expect(decodeStoredUsage({ endpoint: '/v1/messages', rawUsage })).toEqual(usage);
  });
});

it('a small input is not compared with the report', () => {
  const report = readUsage({ prompt_tokens: 1, completion_tokens: 3 });
  const likely = (likelyInputTokens: number) =>
    completeUsage(report, {
      ...DELIVERED,
      likelyInputTokens,
      estimateInput: () => 999,
      tokensSinceReport: 0,
    });
  expect(likely(999)).toMatchObject({ usage: { inputTokens: 1 }, estimated: false });
  expect(likely(1_000)).toMatchObject({ usage: { inputTokens: 999 }, estimated: true });
});
