import Anthropic from '@anthropic-ai/sdk';
import type { Dialect } from '@tollgate/core/models/dialect';
import OpenAI from 'openai';
import { afterAll, describe, expect, it } from 'vitest';
import { startWithCredential } from './credential-fixture.ts';

/** It has no format that a pattern could match: redaction must know it. */
const SECRET = 'zq9-opaque.provider.credential';
const DIALECTS: Dialect[] = ['openai-chat', 'anthropic-messages', 'openai-responses'];

const { api, provider, secret, close } = await startWithCredential(SECRET, DIALECTS);
afterAll(close);

const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
const named = (data: { type: string; [member: string]: unknown }) => `event: ${data.type}\n${event(data)}`;
const START: Record<Dialect, string> = {
  'openai-chat': event({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta: { role: 'assistant', content: 'Grüße' }, finish_reason: null }],
  }),
  'anthropic-messages':
    named({
      type: 'message_start',
      message: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    }) +
    named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }) +
    named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Grüße' } }),
  'openai-responses':
    named({
      type: 'response.created',
      response: { id: 'r', object: 'response', status: 'in_progress', output: [] },
    }) + named({ type: 'response.output_text.delta', item_id: 'i', output_index: 0, delta: 'Grüße' }),
};
const nested = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
const message = `bad key ${SECRET}`;
const FORMS: Record<string, string> = {
  'plain text': `event: error\ndata: ${message}\n\n`,
  'a JSON string': `event: error\ndata: "${message}"\n\n`,
  'a list': `data: [{"error":{"message":"${message}"}}]\n\n`,
  'a detail': event({ detail: message }),
  'a message': event({ message, code: 401 }),
  'cut JSON': `data: {"error":{"message":"${message}"\n\n`,
  'a line without "data:"': `{"error":{"message":"${message}"}}\n\n`,
  'an error that is too deep': `data: {"error":{"message":"${message}","x":${nested}}}\n\n`,
  'a comment': `: ${message}\n\n`,
  'a message given twice': `data: {"error":{"message":"${message}","message":"x"}}\n\n`,
};

/** Reads a stream with the official SDK. @returns what the caller got, byte by byte; `error` is what the SDK threw */
async function readWithSdk(dialect: Dialect, model: string): Promise<{ text: string; error: unknown }> {
  const pieces: Uint8Array[] = [];
  const copying: typeof globalThis.fetch = async (url, init) => {
    const response = await globalThis.fetch(url, init);
    const copy = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        pieces.push(piece);
        controller.enqueue(piece);
      },
    });
    return new Response(response.body?.pipeThrough(copy) ?? null, response);
  };
  const options = { baseURL: api.baseUrl, apiKey: secret, maxRetries: 0, fetch: copying };
  const messages = [{ role: 'user' as const, content: 'Hello' }];
  const read = async () => {
    if (dialect === 'anthropic-messages') {
      const client = new Anthropic(options);
      await client.messages.stream({ model, max_tokens: 64, messages }).finalMessage();
    } else if (dialect === 'openai-chat') {
      const stream = await new OpenAI(options).chat.completions.create({ model, messages, stream: true });
      await Array.fromAsync(stream);
    } else {
      const stream = await new OpenAI(options).responses.create({ model, input: 'Hello', stream: true });
      await Array.fromAsync(stream);
    }
    return null;
  };
  const error = await read().catch((thrown: unknown) => thrown);
  return { text: Buffer.concat(pieces).toString(), error };
}

/** Repeats a stream more slowly if the machine is so busy that its error arrives together with its start. */
async function readStarted(from: Dialect, to: Dialect, sent: string) {
  let answer = { text: '', error: null as unknown };
  for (const intervalMs of [20, 200, 1_000]) {
    provider.reset();
    const replay = { body: START[from] + sent, contentType: 'text/event-stream' };
    provider.always({ replay, split: 'natural', intervalMs });
    answer = await readWithSdk(to, from);
    if (answer.text.includes('Grüße')) break;
  }
  return answer;
}

describe.each(DIALECTS)('an error inside a started stream of a provider that speaks %s', (from) => {
  it.each(Object.entries(FORMS).flatMap(([form, sent]) => DIALECTS.map((to) => ({ form, to, sent }))))(
    'has no credential and is an error for the SDK of $to if it is $form',
    async ({ to, sent }) => {
      const { text, error } = await readStarted(from, to, sent);
      expect(text).toContain('Grüße');
      expect(text).not.toContain(SECRET);
      expect(error).toBeInstanceOf(Error);
      expect(String(error)).not.toContain(SECRET);
      expect(text).not.toMatch(/\[DONE\]|message_stop|response\.completed/);
    },
  );
});
