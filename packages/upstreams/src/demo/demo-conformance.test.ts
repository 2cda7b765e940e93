import { Buffer } from 'node:buffer';
import { checkChatCompletion } from '@tollgate/testing/conformance/check-chat-completion';
import { checkChatCompletionStream } from '@tollgate/testing/conformance/check-chat-stream';
import { checkMessage } from '@tollgate/testing/conformance/check-message';
import { checkMessageStream } from '@tollgate/testing/conformance/check-message-stream';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { UpstreamBody } from '../transport/transport.ts';
import { createDemoTransport } from './demo-transport.ts';

function ask(path: string, body: object, toBody = (json: Buffer): UpstreamBody => json): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    createDemoTransport(0).send(
      { origin: 'demo', path, headers: [], body: toBody(Buffer.from(JSON.stringify(body))) },
      {
        onStart: (status) => expect(status).toBe(200),
        onData: (chunk) => {
          text += chunk.toString('utf8');
        },
        onEnd: () => resolve(text),
        onError: (failure) => reject(new Error(failure.detail)),
      },
    );
  });
}

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const chatTools = [{ type: 'function', function: { name: 'get_weather', parameters } }];
const messagesTools = [{ name: 'get_weather', input_schema: parameters }];
const messages = [{ role: 'user', content: 'Weather in Paris? — 日本語 😀' }];

/** Plain text, a tool call, and a response cut by a limit. */
const CASES = [
  { name: 'text', more: {} },
  { name: 'a call', more: { tools: 'of the dialect' } },
  { name: 'text that is cut off', more: { max_tokens: 3 } },
];

it('responds the same to a body sent in pieces', async () => {
  const body = { model: 'm', messages };
  const inPieces = (json: Buffer) => ({ pieces: [json.subarray(0, 30), json.subarray(30)] });
  const getUsage = (text: string): unknown => (JSON.parse(text) as { usage: unknown }).usage;
  const path = '/v1/chat/completions';
  expect(getUsage(await ask(path, body, inPieces))).toEqual(getUsage(await ask(path, body)));
});

describe.each(CASES)('demo provider: $name', ({ more }) => {
  const chat = { model: 'm', messages, ...more, ...('tools' in more && { tools: chatTools }) };
  const message = {
    model: 'm',
    max_tokens: 50,
    messages,
    ...more,
    ...('tools' in more && { tools: messagesTools }),
  };

  it('is a valid chat completion, whole and streamed', async () => {
    const path = '/v1/chat/completions';
    expect(checkChatCompletion(JSON.parse(await ask(path, chat)))).toEqual([]);
    const plain = await ask(path, { ...chat, stream: true });
    expect(checkChatCompletionStream(plain, { ending: 'whole', wantsUsage: false })).toEqual([]);
    const counted = await ask(path, { ...chat, stream: true, stream_options: { include_usage: true } });
    expect(checkChatCompletionStream(counted, { ending: 'whole' })).toEqual([]);
  });

  it('is a valid message, whole and streamed', async () => {
    expect(checkMessage(JSON.parse(await ask('/v1/messages', message)))).toEqual([]);
    const streamed = await ask('/v1/messages', { ...message, stream: true });
    expect(checkMessageStream(streamed, { ending: 'whole' })).toEqual([]);
    expect(checkMessage(JSON.parse(await ask('/v1/messages?beta=true', message)))).toEqual([]);
  });
});

describe('structured output of the demo provider', () => {
  const schema = {
    type: 'object',
    properties: { city: { type: 'string' }, degrees: { type: 'integer' } },
    required: ['city', 'degrees'],
  };
  const getContent = async (response_format: object) => {
    const answer: unknown = JSON.parse(
      await ask('/v1/chat/completions', { model: 'm', messages, response_format }),
    );
    expect(checkChatCompletion(answer)).toEqual([]);
    const { choices } = completionSchema.parse(answer);
    return JSON.parse(choices[0]?.message.content ?? '') as unknown;
  };

  it('matches the schema of a chat completion request', async () => {
    const json_schema = { name: 'weather', schema };
    expect(await getContent({ type: 'json_schema', json_schema })).toEqual({ city: 'example', degrees: 1 });
    expect(await getContent({ type: 'json_object' })).toEqual({ answer: expect.stringContaining('Paris') });
  });

  it('matches the schema of a message request', async () => {
    const output_config = { format: { type: 'json_schema', schema } };
    const answer: unknown = JSON.parse(
      await ask('/v1/messages', { model: 'm', max_tokens: 50, messages, output_config }),
    );
    expect(checkMessage(answer)).toEqual([]);
    const { content } = messageSchema.parse(answer);
    expect(JSON.parse(content[0]?.text ?? '')).toEqual({ city: 'example', degrees: 1 });
  });
});

const completionSchema = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })),
});
const messageSchema = z.object({ content: z.array(z.object({ text: z.string() })) });
