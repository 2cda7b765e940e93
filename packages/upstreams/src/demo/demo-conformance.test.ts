import { Buffer } from 'node:buffer';
import { checkChatCompletion } from '@tollgate/testing/conformance/check-chat-completion';
import { checkChatCompletionStream } from '@tollgate/testing/conformance/check-chat-stream';
import { checkMessage } from '@tollgate/testing/conformance/check-message';
import { checkMessageStream } from '@tollgate/testing/conformance/check-message-stream';
import { describe, expect, it } from 'vitest';
import { createDemoTransport } from './demo-transport.ts';

function ask(path: string, body: object): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    createDemoTransport(0).send(
      { origin: 'demo', path, headers: [], body: Buffer.from(JSON.stringify(body)) },
      {
        onStart: (status) => expect(status).toBe(200),
        onData: (chunk) => {
          text += chunk.toString('utf8');
        },
        onEnd: () => resolve(text),
        onError: (fault) => reject(new Error(fault.detail)),
      },
    );
  });
}

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const chatTools = [{ type: 'function', function: { name: 'get_weather', parameters } }];
const messagesTools = [{ name: 'get_weather', input_schema: parameters }];
const messages = [{ role: 'user', content: 'Weather in Paris? — 日本語 😀' }];

/** What it says, what it calls, and what a limit cuts off. */
const CASES = [
  { name: 'text', more: {} },
  { name: 'a call', more: { tools: 'of the dialect' } },
  { name: 'text that is cut off', more: { max_tokens: 3 } },
];

describe.each(CASES)('$name of the demo provider', ({ more }) => {
  const chat = { model: 'm', messages, ...more, ...('tools' in more && { tools: chatTools }) };
  const message = {
    model: 'm',
    max_tokens: 50,
    messages,
    ...more,
    ...('tools' in more && { tools: messagesTools }),
  };

  it('is a chat completion, whole and streamed', async () => {
    const path = '/v1/chat/completions';
    expect(checkChatCompletion(JSON.parse(await ask(path, chat)))).toEqual([]);
    const plain = await ask(path, { ...chat, stream: true });
    expect(checkChatCompletionStream(plain, { ending: 'whole', wantsUsage: false })).toEqual([]);
    const counted = await ask(path, { ...chat, stream: true, stream_options: { include_usage: true } });
    expect(checkChatCompletionStream(counted, { ending: 'whole' })).toEqual([]);
  });

  it('is a message, whole and streamed', async () => {
    expect(checkMessage(JSON.parse(await ask('/v1/messages', message)))).toEqual([]);
    const streamed = await ask('/v1/messages', { ...message, stream: true });
    expect(checkMessageStream(streamed, { ending: 'whole' })).toEqual([]);
  });
});
