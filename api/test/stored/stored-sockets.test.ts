import { afterAll, expect, it } from 'vitest';
import { NATIVE } from '../native-provider.ts';
import { openSocket } from '../websocket/socket-client.ts';
import { startStoredHarness, TRANSLATED } from './stored-harness.ts';

const gateway = await startStoredHarness();
const { client, apis } = gateway;
afterAll(() => gateway[Symbol.asyncDispose]());

it.each([NATIVE, TRANSLATED])(
  'a response of %s that continues one of its connection is stored with its previous response',
  async (model) => {
    await using socket = await openSocket(apis[0].baseUrl, String(client.apiKey));
    const first = await socket.ask({ model, input: 'One' });
    expect((await client.responses.retrieve(first.response?.id ?? '')).previous_response_id).toBeNull();
    const next = { model, input: 'Two', previous_response_id: first.response?.id };
    const second = await socket.ask(next);
    expect(second.response?.previous_response_id).toBe(first.response?.id);
    const stored = await client.responses.retrieve(second.response?.id ?? '');
    expect(stored.previous_response_id).toBe(first.response?.id);
    // The connection need not remember it.
    await using other = await openSocket(apis[1].baseUrl, String(client.apiKey));
    const again = await other.ask(next);
    expect((await client.responses.retrieve(again.response?.id ?? '')).previous_response_id).toBe(
      first.response?.id,
    );
  },
);
