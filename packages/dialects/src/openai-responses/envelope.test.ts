import type { CompletionResponse } from '@tollgate/core/completion/response';
import { checkResponse } from '@tollgate/testing/conformance/check-response';
import type { Response, ResponseCreateParamsNonStreaming } from 'openai/resources/responses/responses';
import { describe, expect, it } from 'vitest';
import { encodeOpenAiResponsesResponse } from './encode-response.ts';

const ANSWER: CompletionResponse = {
  id: 'msg_1',
  model: 'claude-sonnet-4-5-20250929',
  createdAt: null,
  choices: [
    { content: [{ type: 'text', text: 'Hi', citations: [], cache: null }], finish: { type: 'stop' } },
  ],
  usage: {
    inputTokens: 3,
    cacheReadTokens: 2,
    cacheWriteTokens: 1,
    outputTokens: 4,
    reasoningTokens: null,
    cacheWrite1hTokens: 0,
  },
  serviceTier: 'standard',
};
const ASKED: ResponseCreateParamsNonStreaming = {
  model: 'claude',
  input: 'Hi',
  instructions: 'Be brief.',
  tools: [
    { type: 'function', name: 'f', parameters: { type: 'object' }, strict: true },
    { type: 'custom', name: 'g' },
  ],
  tool_choice: { type: 'function', name: 'f' },
  text: { format: { type: 'json_schema', name: 'a', schema: { type: 'object' } }, verbosity: 'low' },
  reasoning: { effort: 'low' },
  metadata: { a: 'b' },
  temperature: 0.5,
  top_p: 0.9,
  max_output_tokens: 100,
  max_tool_calls: 2,
  parallel_tool_calls: false,
  truncation: 'auto',
  user: 'someone',
  safety_identifier: 'them',
  prompt_cache_key: 'k',
};

function answerTo(requestBody: Record<string, unknown>): Partial<Response> {
  const context = { requestId: 'req_7', model: 'claude', nowSeconds: 1_700_000_000, requestBody };
  const written = JSON.parse(JSON.stringify(encodeOpenAiResponsesResponse(ANSWER, context)));
  expect(checkResponse(written)).toEqual([]);
  return written;
}

describe('the envelope of a response', () => {
  it('repeats the settings of the request', () => {
    const { input: _input, model: _model, tools, reasoning, ...echoed } = ASKED;
    const answer = answerTo({ ...ASKED });
    expect(answer).toMatchObject({
      ...echoed,
      tools: tools ?? [],
      reasoning: { ...reasoning, summary: null },
    });
  });

  it('returns the documented defaults of what the request leaves out, null included', () => {
    expect(
      answerTo({ model: 'claude', input: 'Hi', temperature: null, tools: null, text: null }),
    ).toMatchObject({
      id: 'resp_7',
      object: 'response',
      model: 'claude',
      created_at: 1_700_000_000,
      status: 'completed',
      temperature: 1,
      top_p: 1,
      tools: [],
      tool_choice: 'auto',
      parallel_tool_calls: true,
      text: { format: { type: 'text' } },
      truncation: 'disabled',
      store: false,
      instructions: null,
      service_tier: 'default',
      usage: {
        input_tokens: 6,
        input_tokens_details: { cached_tokens: 2, cache_write_tokens: 1 },
        output_tokens: 4,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 10,
      },
    });
  });

  it.each([
    ['length', 'max_output_tokens'],
    ['context_length', 'max_output_tokens'],
    ['content_filter', 'content_filter'],
    ['refusal', 'content_filter'],
  ] as const)('says that an answer is not whole that ended with %s', (type, reason) => {
    const cut = { ...ANSWER, choices: ANSWER.choices.map((choice) => ({ ...choice, finish: { type } })) };
    const context = { requestId: 'req_7', model: 'claude', nowSeconds: 1_700_000_000 };
    expect(encodeOpenAiResponsesResponse(cut, context)).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason },
      output: [{ type: 'message', status: 'incomplete' }],
    });
  });
});
