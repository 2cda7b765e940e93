import { createKeyFixture } from '@tollgate/testing/factories';
import { startTestApi } from '../../src/testing/start-test-api.ts';
import OpenAI from 'openai';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { NATIVE } from '../native-provider.ts';
import {
  createResponse,
  ENCRYPTION_KEY,
  readFlags,
  startStoredHarness,
  TRANSLATED,
} from './stored-harness.ts';

const gateway = await startStoredHarness();
const { client, createClient, createAccount, harness, native, listSent } = gateway;
afterAll(() => gateway[Symbol.asyncDispose]());
beforeEach(() => {
  harness.provider.reset();
  native.seen.length = 0;
});

describe.each([NATIVE, TRANSLATED])('stored responses of %s', (model) => {
  it.each([false, true])(
    'are there as the caller got them, on each replica, streamed: %s',
    async (isStream) => {
      const { secret } = await createAccount(7);
      const given = await createResponse(
        createClient(secret),
        { model, input: 'Hello', instructions: 'Be brief.' },
        isStream,
      );
      expect(readFlags(given).store).toBe(true);
      expect(given.id).toMatch(/^resp_[0-9a-z]{26}$/);
      for (const replica of [0, 1] as const) {
        const { output_text: _, ...read } = await createClient(secret, replica).responses.retrieve(given.id);
        const { output_text: __, ...expected } = given;
        expect(read).toEqual(expected);
      }
      expect(listSent(model).at(-1)?.['store'] ?? false).toBe(false);
    },
  );

  it('have a header that says whether they are stored', async () => {
    const getHeader = async (caller: OpenAI, body: object) => {
      const call = caller.responses.create({ model, input: 'Hello', ...body });
      return (await call.asResponse()).headers.get('x-tollgate-stored');
    };
    const { secret } = await createAccount(null);
    expect(await getHeader(client, {})).toBe('true');
    expect(await getHeader(client, { stream: true })).toBe('true');
    expect(await getHeader(client, { store: false })).toBeNull();
    expect(await getHeader(createClient(secret), { store: true })).toBe('false');
  });

  it.each([false, true])(
    'continue with what a caller that keeps the conversation would send, for the same amount, streamed: %s',
    async (isStream) => {
      const whole: OpenAI.Responses.ResponseInput = [];
      let previous: string | null = null;
      for (const text of ['One', 'Two', 'Three']) {
        const turn = { role: 'user' as const, content: text };
        whole.push(turn);
        const stateless = await createResponse(client, { model, input: whole, store: false }, isStream);
        const sent = listSent(model).at(-1);
        const input = text === 'Two' ? text : [turn];
        const stateful: OpenAI.Responses.Response = await createResponse(
          createClient(String(client.apiKey), text === 'Two' ? 1 : 0),
          {
            model,
            input,
            ...(previous === null ? { instructions: 'Only here' } : { previous_response_id: previous }),
          },
          isStream,
        );
        expect(stateful.previous_response_id).toBe(previous);
        const continued = listSent(model).at(-1);
        if (previous !== null) {
          expect(continued).toEqual(sent);
          expect(getConversation(continued)).toBe(getConversation(sent));
        }
        if (model === TRANSLATED)
          expect(stateful.usage).toEqual(text === 'One' ? stateful.usage : stateless.usage);
        previous = stateful.id;
        whole.push(...(stateful.output as OpenAI.Responses.ResponseInputItem[]));
      }
      const items = await client.responses.inputItems.list(String(previous), { order: 'asc' });
      expect(
        items.data.map((item) => ('role' in item ? item.role : item.type)).filter((role) => role === 'user'),
      ).toHaveLength(3);
    },
  );

  it('list their input items in pages, newest first', async () => {
    const input = Array.from({ length: 5 }, (_, index) => ({
      role: 'user' as const,
      content: `Text ${index}`,
    }));
    const { id } = await client.responses.create({ model, input });
    const seen: string[] = [];
    const ids = new Set<string>();
    for await (const item of client.responses.inputItems.list(id, { limit: 2 })) {
      if (item.type !== 'message' || !('content' in item)) throw new Error('not a message');
      const [part] = item.content;
      seen.push(typeof part === 'object' && 'text' in part ? part.text : '');
      ids.add(item.id ?? '');
    }
    expect(seen).toEqual(['Text 4', 'Text 3', 'Text 2', 'Text 1', 'Text 0']);
    expect(ids.size).toBe(5);
    const page = await client.responses.inputItems.list(id, { order: 'asc', limit: 1 });
    expect(page.has_more).toBe(true);
    await expect(client.responses.inputItems.list(id, { limit: 0 })).rejects.toMatchObject({
      status: 400,
      param: 'limit',
    });
    await expect(client.responses.inputItems.list(id, { after: 'msg_x' })).rejects.toMatchObject({
      status: 400,
      param: 'after',
    });
  });

  it('are deleted at once, and then neither read nor continued', async () => {
    const { id } = await client.responses.create({ model, input: 'Hello' });
    const deleted = await client.delete(`/responses/${id}`);
    expect(deleted).toEqual({ id, object: 'response', deleted: true });
    const gone = { status: 404, error: { message: `Response with id '${id}' not found.` } };
    await expect(client.responses.retrieve(id)).rejects.toMatchObject(gone);
    await expect(client.responses.delete(id)).rejects.toMatchObject(gone);
    await expect(client.responses.inputItems.list(id)).rejects.toMatchObject(gone);
    await expect(
      client.responses.create({ model, input: 'Hi', previous_response_id: id }),
    ).rejects.toMatchObject({
      status: 400,
      code: 'previous_response_not_found',
      param: 'previous_response_id',
    });
  });

  it('exist for their account only, whatever the key', async () => {
    const { accountId, secret } = await createAccount(7);
    const other = await createAccount(7);
    const { key: _, secret: second } = await createKeyFixture(harness.database.db, accountId);
    const { id } = await createClient(secret).responses.create({ model, input: 'Secret' });
    expect((await createClient(second).responses.retrieve(id)).id).toBe(id);
    const foreign = createClient(other.secret);
    const gone = { status: 404 };
    await expect(foreign.responses.retrieve(id)).rejects.toMatchObject(gone);
    await expect(foreign.responses.inputItems.list(id)).rejects.toMatchObject(gone);
    await expect(foreign.responses.delete(id)).rejects.toMatchObject(gone);
    await expect(foreign.responses.cancel(id)).rejects.toMatchObject(gone);
    await expect(
      foreign.responses.create({ model, input: 'Hi', previous_response_id: id }),
    ).rejects.toMatchObject({
      status: 400,
    });
    expect((await createClient(secret).responses.retrieve(id)).id).toBe(id);
  });

  it.each(['resp_\0', '\ud800', 'x'.repeat(8_000)])('do not exist with the id %j', async (id) => {
    const { secret } = await createAccount(7);
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const address = `${gateway.apis[0].baseUrl}/responses`;
    const body = JSON.stringify({ model, input: 'Hi', previous_response_id: id });
    const continued = await fetch(address, { method: 'POST', headers, body });
    expect(continued.status).toBe(400);
    if (id === '\ud800') return;
    const found = await fetch(`${address}/${encodeURIComponent(id)}`, { headers });
    expect(found.status).toBe(404);
    const deleted = await fetch(`${address}/${encodeURIComponent(id)}`, { method: 'DELETE', headers });
    expect(deleted.status).toBe(404);
  });

  it('are not stored for `store: false`, nor if the request fails', async () => {
    const { secret } = await createAccount(7);
    const caller = createClient(secret);
    const { id } = await caller.responses.create({ model, input: 'Hello', store: false });
    await expect(caller.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
    await expect(caller.responses.create({ model: 'none', input: 'Hello' })).rejects.toMatchObject({
      status: 404,
    });
  });

  it('count the input of what they continue', async () => {
    const { id } = await client.responses.create({ model, input: 'word '.repeat(500) });
    const count = (rest: object) => client.responses.inputTokens.count({ model, input: 'Hello', ...rest });
    const alone = await count({});
    const continued = await count({ previous_response_id: id });
    expect(continued.input_tokens).toBeGreaterThan(alone.input_tokens + 300);
    // The first count loads the tokenizer.
  }, 60_000);
});

it('stores a translated stream whose last events are written at once', async () => {
  harness.provider.next({ answer: { text: `${'word'.repeat(300)} `.repeat(20) } });
  const { secret } = await createAccount(7);
  const response = await createResponse(createClient(secret), { model: TRANSLATED, input: 'Hello' }, true);
  expect(readFlags(response).store).toBe(true);
  expect((await createClient(secret).responses.retrieve(response.id)).output).toEqual(response.output);
});

it('refuses to continue anything while the account stores nothing', async () => {
  const { secret } = await createAccount(null);
  const call = createClient(secret).responses.create({
    model: NATIVE,
    input: 'Hi',
    previous_response_id: 'resp_1',
  });
  await expect(call).rejects.toMatchObject({
    status: 400,
    code: 'unsupported_parameter',
    param: 'previous_response_id',
  });
  await expect(createClient(secret).responses.retrieve('resp_1')).rejects.toMatchObject({ status: 404 });
});

it('stores and continues on web-standard runtimes', async () => {
  const { secret } = await createAccount(7);
  const api = await startTestApi({ db: harness.database.db, runtime: 'web', encryptionKey: ENCRYPTION_KEY });
  try {
    const caller = new OpenAI({ baseURL: api.baseUrl, apiKey: secret, maxRetries: 0 });
    for (const isStream of [false, true]) {
      const { id } = await createResponse(caller, { model: NATIVE, input: 'One' }, isStream);
      const next = await createResponse(
        caller,
        { model: NATIVE, input: 'Two', previous_response_id: id },
        isStream,
      );
      expect((await caller.responses.retrieve(next.id)).previous_response_id).toBe(id);
      expect(native.seen.at(-1)?.input).toHaveLength(4);
    }
  } finally {
    await api.close();
  }
});

it('continues with a body that is read in a thread', async () => {
  const { id } = await client.responses.create({ model: NATIVE, input: 'word '.repeat(60_000) });
  const { id: next } = await client.responses.create({
    model: NATIVE,
    input: 'Two',
    previous_response_id: id,
  });
  expect(native.seen.at(-1)?.input).toHaveLength(4);
  expect((await client.responses.inputItems.list(next)).data).toHaveLength(4);
});

it('refuses a conversation that no longer fits into a request', async () => {
  const large = 'x'.repeat(17 * 1024 * 1024);
  const { id } = await client.responses.create({ model: TRANSLATED, input: large });
  const call = client.responses.create({ model: TRANSLATED, input: large, previous_response_id: id });
  await expect(call).rejects.toMatchObject({ status: 413, param: 'previous_response_id' });
}, 60_000);

/** As the provider reads it, byte for byte. */
function getConversation(sent: Record<string, unknown> | undefined): string {
  return JSON.stringify(sent?.['input'] ?? sent?.['messages']);
}
