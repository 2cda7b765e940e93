import { describe, expect, it } from 'vitest';
import { readUsage } from './read-usage.ts';

const counts = (given: object) => {
  const { usage, hasInput, hasOutput, isExact } = readUsage({ ...given });
  const { inputTokens: input, cacheReadTokens: cached, outputTokens: output } = usage;
  return { input, cached, output, hasInput, hasOutput, isExact };
};
const read = (input: number, output: number, isExact = true, cached = 0) => ({
  input,
  cached,
  output,
  hasInput: true,
  hasOutput: true,
  isExact,
});

describe('a usage object', () => {
  it.each<[string, object, object]>([
    ['numbers as strings', { prompt_tokens: '12', completion_tokens: ' 7 ' }, read(12, 7)],
    ['strings with a fraction of zero', { prompt_tokens: '12.0', completion_tokens: '7.00' }, read(12, 7)],
    ['whole floats', { prompt_tokens: 12.0, completion_tokens: 7 }, read(12, 7)],
    ['the names of the Messages API', { input_tokens: 12, output_tokens: 7 }, read(12, 7)],
    ['camel case', { promptTokens: 12, completionTokens: 7, totalTokens: 19 }, read(12, 7)],
    [
      'camel case of Bedrock',
      { inputTokens: 12, cacheReadInputTokens: 3, outputTokens: 7 },
      read(12, 7, true, 3),
    ],
    [
      'the names of Gemini, reasoning apart',
      {
        promptTokenCount: 12,
        cachedContentTokenCount: 2,
        candidatesTokenCount: 4,
        thoughtsTokenCount: 3,
        totalTokenCount: 19,
      },
      read(10, 7, true, 2),
    ],
    ['only a prompt and a total', { prompt_tokens: 12, total_tokens: 19 }, read(12, 7)],
    ['a fraction, rounded up', { prompt_tokens: 12, completion_tokens: 6.2 }, read(12, 7, false)],
  ])('is read with %s', (_, given, expected) => {
    expect(counts(given)).toEqual(expected);
  });

  it.each<[string, object]>([
    ['negative', { prompt_tokens: 12, completion_tokens: -7 }],
    ['a word', { prompt_tokens: 12, completion_tokens: 'seven' }],
    ['an object', { prompt_tokens: 12, completion_tokens: { total: 7 } }],
    ['absurd', { prompt_tokens: 12, completion_tokens: 1e12 }],
    ['not finite', { prompt_tokens: 12, completion_tokens: Number('1e999') }],
  ])('is not exact if a count is %s', (_, given) => {
    expect(counts(given)).toMatchObject({ input: 12, output: 0, hasOutput: false, isExact: false });
  });

  it.each([[{}], [{ prompt_tokens: null, completion_tokens: null }], [{ total_tokens: 12 }]])(
    'reports nothing in %j',
    (given) => {
      expect(counts(given)).toMatchObject({ hasInput: false, hasOutput: false });
    },
  );

  it('keeps what an earlier event of the stream reported if the later one has nothing, null or zero', () => {
    const known = readUsage({ input_tokens: 9, cache_read_input_tokens: 4, output_tokens: 1 });
    const { usage } = readUsage({ input_tokens: 0, cache_read_input_tokens: null, output_tokens: 6 }, known);
    expect(usage).toMatchObject({ inputTokens: 9, cacheReadTokens: 4, outputTokens: 6 });
  });

  it('counts audio and images apart from text', () => {
    const { usage } = readUsage({
      prompt_tokens: 100,
      prompt_tokens_details: { cached_tokens: 20, audio_tokens: 30, image_tokens: 10 },
      completion_tokens: 50,
      completion_tokens_details: { audio_tokens: 45 },
    });
    expect(usage).toMatchObject({ inputTokens: 40, cacheReadTokens: 20, outputTokens: 5 });
    expect(usage.extras).toEqual({ audioInputTokens: 30, imageInputTokens: 10, audioOutputTokens: 45 });
  });

  it('counts calls of server tools', () => {
    const anthropic = readUsage({ server_tool_use: { web_search_requests: 2, web_fetch_requests: 1 } });
    expect(anthropic.usage.extras?.toolCalls).toEqual({ web_search: 2, web_fetch: 1 });
    expect(readUsage({ num_sources_used: 4 }).usage.extras?.toolCalls).toEqual({ web_search: 4 });
  });

  it('lists the usage of a compaction, and of an advisor under the model it names', () => {
    const { usage } = readUsage({
      input_tokens: 23_000,
      output_tokens: 1_000,
      iterations: [
        { type: 'compaction', input_tokens: 180_000, output_tokens: 3_500 },
        { type: 'message', input_tokens: 23_000, output_tokens: 1_000 },
        { type: 'advisor_message', model: 'claude-opus-4-6', input_tokens: 823, output_tokens: 1_612 },
      ],
    });
    expect(usage).toMatchObject({ inputTokens: 23_000, outputTokens: 1_000 });
    expect(usage.extras?.iterations).toMatchObject([
      { model: null, usage: { inputTokens: 180_000, outputTokens: 3_500 } },
      { model: 'claude-opus-4-6', usage: { inputTokens: 823, outputTokens: 1_612 } },
    ]);
  });

  it('lists the model that declined before a fallback', () => {
    const { usage } = readUsage({
      input_tokens: 10,
      output_tokens: 5,
      iterations: [
        { type: 'message', model: 'first', input_tokens: 11, output_tokens: 2 },
        { type: 'fallback_message', model: 'second', input_tokens: 10, output_tokens: 5 },
      ],
    });
    expect(usage).toMatchObject({ inputTokens: 10, outputTokens: 5 });
    expect(usage.extras?.iterations).toMatchObject([{ model: 'first', usage: { outputTokens: 2 } }]);
  });
});

it('takes no count from a prototype that a later event sets', () => {
  const first = readUsage({ prompt_tokens: 10, completion_tokens: 1 });
  const later = JSON.parse('{"prompt_tokens":10,"completion_tokens":2,"__proto__":{"total_tokens":5000}}');
  expect(readUsage(later, first).usage).toMatchObject({ inputTokens: 10, outputTokens: 2 });
});
