import type { CompletionEvent } from '@tollgate/core/completion/events';
import type { CompletionResponse } from '@tollgate/core/completion/response';
import {
  arbitraryCompletionResponse,
  arbitraryStream,
  arbitraryUsage,
} from '@tollgate/testing/arbitrary-completion';
import { arbitraryName } from '@tollgate/testing/arbitrary-completion-content';
import fc from 'fast-check';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { made, thinking } from './arbitrary.fixture.ts';
import { decodeOpenAiResponsesResponse } from './decode-response.ts';
import { createOpenAiResponsesStreamEncoder } from './encode-stream.ts';
import { getKinds } from './finish.ts';

/** The official client; every request gets `body` as its response. */
function getClient(body: string): OpenAI {
  const headers = { 'content-type': 'text/event-stream' };
  return new OpenAI({
    apiKey: 'sk-test',
    maxRetries: 0,
    fetch: async () => new Response(body, { headers }),
  });
}

function write(events: readonly CompletionEvent[], model: string): string {
  const encoder = createOpenAiResponsesStreamEncoder({
    requestId: 'req_1',
    model,
    nowSeconds: 1,
    estimatedInputTokens: null,
    wantsStreamUsage: true,
  });
  return events.map((event) => encoder.push(event)).join('');
}

const answer: fc.Arbitrary<CompletionResponse> = arbitraryCompletionResponse({
  id: arbitraryName.map((name) => `resp_${name}`),
  createdAt: fc.integer({ min: 1, max: 2 ** 31 }),
  choices: fc.tuple(
    fc
      .array(fc.oneof(made, thinking(fc.base64String({ minLength: 4 }))), { minLength: 1, maxLength: 5 })
      .map((parts) => {
        // Items have separate ids, and so do calls.
        const content = parts
          .filter((part) => part.type !== 'opaque')
          .map((part, index) => (part.type === 'tool_call' ? { ...part, id: `call_${index}` } : part));
        const { hasCalls, hasRefusal } = getKinds(content);
        const ended = hasRefusal ? ('refusal' as const) : ('stop' as const);
        return { content, finish: { type: hasCalls ? ('tool_calls' as const) : ended } };
      }),
  ),
  usage: arbitraryUsage({
    cacheWrite1hTokens: fc.constant(0),
    reasoningTokens: fc.constant(0),
  }),
  serviceTier: fc.constant(null),
});

describe('the official client', () => {
  it('gathers the same response from the deltas, for any order of parallel calls', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryStream(answer), async ({ response, events }) => {
        const client = getClient(write(events, response.model));
        const stream = client.responses.stream({ model: 'm', input: 'Hi' });
        const whole = await stream.finalResponse();
        expect(decodeOpenAiResponsesResponse({ ...whole })).toEqual(response);
        const texts = response.choices[0]?.content.map((part) => (part.type === 'text' ? part.text : ''));
        expect(whole.output_text).toBe(texts?.join(''));
      }),
      { numRuns: 100 },
    );
  });

  it('receives an error after the first bytes', async () => {
    const body = write(
      [
        { type: 'start', id: '', model: 'm', createdAt: null, usage: null },
        { type: 'block_start', choice: 0, block: 0, start: { type: 'text' } },
        { type: 'text_delta', choice: 0, block: 0, text: 'Hel' },
        { type: 'error', kind: 'overloaded_error', message: 'Too much to do', code: null },
      ],
      'm',
    );
    const stream = await getClient(body).responses.create({ model: 'm', input: 'Hi', stream: true });
    const seen: string[] = [];
    const reading = (async () => {
      for await (const event of stream) seen.push(event.type);
    })();
    await expect(reading).rejects.toMatchObject({
      code: 'upstream_overloaded',
      message: expect.stringContaining('Too much to do'),
    });
    expect(seen).toContain('response.output_text.delta');
    expect(body).toMatch(/event: response\.failed\n.*"status":"failed".*\n\n$/);
  });
});
