import { Buffer } from 'node:buffer';
import type { Dialect } from '@tollgate/core/models/dialect';
import { describe, expect, it } from 'vitest';
import { anthropicStreamRules } from '../anthropic-messages/stream-rules.ts';
import { getDialectRules } from '../dialect-rules.ts';
import { createOpenAiStreamRules } from '../openai-chat/stream-rules.ts';
import { openAiResponsesStreamRules } from '../openai-responses/stream-rules.ts';
import { StreamTap } from '../stream-tap.ts';
import { completeUsage } from './complete-usage.ts';
import { writtenIn } from './written-in.ts';

/** The gateway's estimate of the input. */
const LIKELY_INPUT = 150;
const known = { likelyInputTokens: LIKELY_INPUT, estimateInput: () => LIKELY_INPUT };

const RULES = {
  'openai-chat': createOpenAiStreamRules(true),
  'anthropic-messages': anthropicStreamRules,
  'openai-responses': openAiResponsesStreamRules,
};
const WHOLE: Record<Dialect, (usage: object) => object> = {
  'openai-chat': (usage) => ({ choices: [{ message: { content: 'Hi' } }], usage }),
  'anthropic-messages': (usage) => ({ type: 'message', content: [{ type: 'text', text: 'Hi' }], usage }),
  'openai-responses': (usage) => ({ output: [], usage }),
};
const LAST_EVENT: Record<Dialect, (usage: object) => object> = {
  'openai-chat': (usage) => ({ choices: [], usage }),
  'anthropic-messages': (usage) => ({ type: 'message_delta', delta: {}, usage }),
  'openai-responses': (usage) => ({ type: 'response.completed', response: { usage } }),
};

function bill(dialect: Dialect, stream: boolean, usage: object) {
  if (!stream) {
    const body = JSON.parse(JSON.stringify(WHOLE[dialect](usage)));
    return completeUsage(getDialectRules(dialect).decodeUsage(body), { ...known, ...writtenIn(body) });
  }
  const tap = new StreamTap(RULES[dialect]);
  tap.push(Buffer.from(`data: ${JSON.stringify(LAST_EVENT[dialect](usage))}\n\n`));
  const { report, outputTokens, tokensSinceReport, meter, tools } = tap;
  return completeUsage(report, {
    ...known,
    outputTokens,
    leastOutputTokens: meter.leastTokens,
    tokensSinceReport,
    tools,
  });
}

const CASES: [string, object, object][] = [
  [
    'more reasoning than output',
    { prompt_tokens: 200, completion_tokens: 10, completion_tokens_details: { reasoning_tokens: 37 } },
    { inputTokens: 200, outputTokens: 47 },
  ],
  [
    'more reasoning than output, and a total without it',
    {
      prompt_tokens: 200,
      completion_tokens: 10,
      total_tokens: 210,
      completion_tokens_details: { reasoning_tokens: 37 },
    },
    { inputTokens: 200, outputTokens: 47 },
  ],
  [
    'more thinking than output',
    { input_tokens: 200, output_tokens: 10, output_tokens_details: { thinking_tokens: 37 } },
    { inputTokens: 200, outputTokens: 47 },
  ],
  [
    'more cached input than input',
    { prompt_tokens: 20, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 5_000 } },
    { inputTokens: LIKELY_INPUT, cacheReadTokens: 0, outputTokens: 5 },
  ],
  [
    'more cached and written input than input',
    {
      prompt_tokens: 900,
      completion_tokens: 5,
      prompt_tokens_details: { cached_tokens: 800, cache_write_tokens: 200 },
    },
    { inputTokens: 900, cacheReadTokens: 0, cacheWriteTokens: 0 },
  ],
  [
    'cache writes that are less than their parts',
    {
      input_tokens: 200,
      output_tokens: 5,
      cache_creation_input_tokens: 100,
      cache_creation: { ephemeral_5m_input_tokens: 50, ephemeral_1h_input_tokens: 80 },
    },
    { inputTokens: 200, cacheWriteTokens: 50, cacheWrite1hTokens: 80 },
  ],
  [
    'cache writes that are more than their parts',
    {
      input_tokens: 200,
      output_tokens: 5,
      cache_creation_input_tokens: 100,
      cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
    },
    { inputTokens: 200, cacheWriteTokens: 10, cacheWrite1hTokens: 90 },
  ],
  [
    'a total that is less than input and output',
    { prompt_tokens: 200, completion_tokens: 10, total_tokens: 50 },
    { inputTokens: 200, outputTokens: 10 },
  ],
  [
    'two counts of input',
    { prompt_tokens: 200, input_tokens: 900, completion_tokens: 10 },
    { inputTokens: 900, outputTokens: 10 },
  ],
  [
    'two counts of output',
    { prompt_tokens: 200, completion_tokens: 10, output_tokens: 70 },
    { inputTokens: 200, outputTokens: 70 },
  ],
  [
    'cache hits and misses that are not the input',
    {
      prompt_tokens: 200,
      completion_tokens: 10,
      prompt_cache_hit_tokens: 100,
      prompt_cache_miss_tokens: 500,
    },
    { inputTokens: 500, cacheReadTokens: 100 },
  ],
  [
    'more audio than output',
    { prompt_tokens: 200, completion_tokens: 10, completion_tokens_details: { audio_tokens: 60 } },
    { outputTokens: 0, extras: { audioOutputTokens: 60 } },
  ],
];
const TRUE_CASES: [string, object, object][] = [
  [
    'reasoning counted separately from the completion, in the total',
    { prompt_tokens: 200, completion_tokens: 10, total_tokens: 310, reasoning_tokens: 100 },
    { inputTokens: 200, outputTokens: 110 },
  ],
  [
    'the same input under two names',
    { prompt_tokens: 200, input_tokens: 200, completion_tokens: 10, output_tokens: 0 },
    { inputTokens: 200, outputTokens: 10 },
  ],
  [
    'input with and without what is cached',
    { prompt_tokens: 300, input_tokens: 200, cache_read_input_tokens: 100, completion_tokens: 10 },
    { inputTokens: 200, cacheReadTokens: 100 },
  ],
  [
    'a total of zero',
    { prompt_tokens: 200, completion_tokens: 10, total_tokens: 0 },
    { inputTokens: 200, outputTokens: 10 },
  ],
];
const DIALECTS = Object.keys(RULES) as Dialect[];
const WAYS = DIALECTS.flatMap((dialect) => [true, false].map((stream) => ({ dialect, stream })));

describe.each(WAYS)('usage of $dialect (stream: $stream)', ({ dialect, stream }) => {
  it.each(CASES)('is not exact, and read as the more expensive one, with %s', (_, usage, expected) => {
    const billed = bill(dialect, stream, usage);
    expect(billed.usage).toMatchObject(expected);
    expect(billed.estimated).toBe(true);
  });

  it.each(TRUE_CASES)('is exact with %s', (_, usage, expected) => {
    expect(bill(dialect, stream, usage)).toMatchObject({ usage: expected, estimated: false });
  });
});

it('takes cache writes as not exact that are less than their parts, reported by an earlier event', () => {
  const tap = new StreamTap(anthropicStreamRules);
  const start = { input_tokens: 200, cache_creation: { ephemeral_5m_input_tokens: 50 } };
  const end = { output_tokens: 5, cache_creation_input_tokens: 30 };
  for (const event of [
    { type: 'message_start', message: { usage: start } },
    { type: 'message_delta', usage: end },
  ])
    tap.push(Buffer.from(`data: ${JSON.stringify(event)}\n\n`));
  expect(tap.report).toMatchObject({
    isExact: false,
    usage: { cacheWriteTokens: 50, cacheWrite1hTokens: 0 },
  });
});

it('takes cache writes as exact that grew after their parts were reported', () => {
  const tap = new StreamTap(anthropicStreamRules);
  const start = {
    input_tokens: 200,
    cache_creation_input_tokens: 30,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 30 },
  };
  const end = { output_tokens: 5, cache_creation_input_tokens: 90 };
  for (const event of [
    { type: 'message_start', message: { usage: start } },
    { type: 'message_delta', usage: end },
  ])
    tap.push(Buffer.from(`data: ${JSON.stringify(event)}\n\n`));
  expect(tap.report).toMatchObject({
    isExact: true,
    usage: { cacheWriteTokens: 0, cacheWrite1hTokens: 90 },
  });
});
