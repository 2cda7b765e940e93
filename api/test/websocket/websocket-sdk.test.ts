import OpenAI from 'openai';
import { ResponsesWS } from 'openai/resources/responses/ws';
import { afterAll, expect, it } from 'vitest';
import { NATIVE } from '../native-provider.ts';
import { startSocketHarness, TRANSLATED } from './socket-harness.ts';

const harness = await startSocketHarness();
const client = new OpenAI({ baseURL: harness.api.baseUrl, apiKey: harness.secret, maxRetries: 0 });
afterAll(() => harness[Symbol.asyncDispose]());

it.each([NATIVE, TRANSLATED])('works with the WebSocket of OpenAI’s own SDK: %s', async (model) => {
  const socket = new ResponsesWS(client);
  const events = socket.stream();
  /** Sends a turn, and returns its text and its id. */
  const ask = async (input: string, previousId: string | null) => {
    socket.send({
      type: 'response.create',
      stream_id: 'main',
      model,
      input: [{ role: 'user', content: input }],
      store: false,
      previous_response_id: previousId,
    });
    let text = '';
    for await (const event of { [Symbol.asyncIterator]: () => ({ next: () => events.next() }) }) {
      if (event.type === 'error') throw event.error;
      if (event.type !== 'message') continue;
      const { message } = event;
      expect(message).toMatchObject({ stream_id: 'main' });
      if (message.type === 'response.output_text.delta') text += message.delta;
      if (message.type === 'response.completed') return { text, id: message.response.id };
    }
    throw new Error('The connection closed');
  };
  try {
    const first = await ask('Say hello.', null);
    expect(first.text).not.toBe('');
    expect((await ask('Go on.', first.id)).text).not.toBe('');
    await expect(ask('Go on.', 'resp_unknown')).rejects.toThrow(/not found/);
  } finally {
    socket.close();
    await events.return?.();
  }
});
