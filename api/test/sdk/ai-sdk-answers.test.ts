/** Whatever a provider answers, the AI SDK's own schemas take it in each dialect. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { getCodec } from '@tollgate/dialects/codec';
import {
  arbitraryChoice,
  arbitraryCompletionResponse,
  arbitraryStream,
  arbitraryUsage,
} from '@tollgate/testing/arbitrary-completion';
import { DIALECTS } from '@tollgate/dialects/translated/translated-answer.fixture';
import { translateRecordings } from '@tollgate/dialects/translated/translate-recordings.fixture';
import { translateSamples } from '@tollgate/dialects/translated/sample-answers.fixture';
import { describeRecordings, loadDialectRecordings } from '@tollgate/testing/recordings';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const CONTEXT = { requestId: 'req_1', model: 'the-model', nowSeconds: 1_700_000_000 };
const RUNS = 150;

/** Answers the next request of an SDK. */
const answering = (text: string, type: string) => async () =>
  new Response(text, { status: 200, headers: { 'content-type': type } });

const MODELS = {
  'openai-chat': (fetch: typeof globalThis.fetch) => createOpenAI({ apiKey: 'k', fetch }).chat('the-model'),
  'openai-responses': (fetch: typeof globalThis.fetch) =>
    createOpenAI({ apiKey: 'k', fetch }).responses('the-model'),
  'anthropic-messages': (fetch: typeof globalThis.fetch) =>
    createAnthropic({ apiKey: 'k', fetch })('the-model'),
} as const;
const recordings = loadDialectRecordings(DIALECTS);
/** The AI SDK has no custom tools in chat completions, so it never gets a call of one. */
const NEVER_REQUESTED = 'request/custom-tool';
const translated = [...translateRecordings(recordings.cases), ...translateSamples()].filter(
  ({ name }) => name !== NEVER_REQUESTED,
);

const one = arbitraryCompletionResponse({
  createdAt: fc.constantFrom(null, 1_700_000_001),
  usage: arbitraryUsage(),
  choices: fc.array(arbitraryChoice(), { minLength: 1, maxLength: 1 }),
  // The AI SDK refuses this name in any JSON.
}).filter((response) => !JSON.stringify(response).includes('__proto__'));
const options = { prompt: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }] };

/** @returns the errors that a stream reports */
async function readStream(name: keyof typeof MODELS, body: string): Promise<unknown[]> {
  const { stream } = await MODELS[name](answering(body, 'text/event-stream')).doStream(options);
  const errors: unknown[] = [];
  for await (const part of stream) if (part.type === 'error') errors.push(part.error);
  return errors;
}

describe.each(DIALECTS)('the AI SDK reads %s', (name) => {
  it(`of other dialects. ${describeRecordings(recordings)}`, { timeout: 60_000 }, async () => {
    const failed: unknown[] = [];
    for (const { name: from, isStream, body } of translated.filter(({ dialect }) => dialect === name)) {
      try {
        if (!isStream) await MODELS[name](answering(body, 'application/json')).doGenerate(options);
        else failed.push(...(await readStream(name, body)).map((error) => [from, error]));
      } catch (error) {
        failed.push([from, error]);
      }
    }
    expect(failed).toEqual([]);
  });

  it('as a whole answer', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(one, async (response) => {
        const text = JSON.stringify(getCodec(name).encodeResponse(response, CONTEXT));
        const { content } = await MODELS[name](answering(text, 'application/json')).doGenerate(options);
        expect(Array.isArray(content)).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  it('as a stream', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryStream(one), async ({ events }) => {
        const encoder = getCodec(name).createStreamEncoder({
          ...CONTEXT,
          estimatedInputTokens: null,
          wantsStreamUsage: true,
        });
        const text = events.map((event) => encoder.push(event)).join('');
        expect(await readStream(name, text)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});
