import { CONVERSATION_LIMITS } from '@tollgate/core/requests/stored-responses';
import { deleteStale } from '@tollgate/db/queries/retention/delete-stale';
import { createKeyFixture } from '@tollgate/testing/factories';
import OpenAI from 'openai';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { NATIVE } from '../native-provider.ts';
import { createResponse, startStoredHarness, TRANSLATED } from './stored-harness.ts';

const gateway = await startStoredHarness();
const { client, createClient, createAccount, harness, native, listSent } = gateway;
const { db } = harness.database;
afterAll(() => gateway[Symbol.asyncDispose]());
beforeEach(() => {
  harness.provider.reset();
  native.release();
  native.seen.length = 0;
});

const say = (text: string) => ({ type: 'message' as const, role: 'user' as const, content: text });
const listTexts = async (id: string, caller = client) => {
  const texts: string[] = [];
  for await (const item of caller.conversations.items.list(id, { order: 'asc', limit: 2 }))
    if (item.type === 'message')
      texts.push(...item.content.map((part) => ('text' in part ? part.text : part.type)));
  return texts;
};

describe('conversations', () => {
  it('are created, read, changed and deleted as with OpenAI', async () => {
    const created = await client.conversations.create({ items: [say('Hello')], metadata: { topic: 'a' } });
    expect(created).toEqual({
      id: expect.stringMatching(/^conv_[0-9a-z]{26}$/) as string,
      object: 'conversation',
      created_at: expect.closeTo(Date.now() / 1000, -2) as number,
      metadata: { topic: 'a' },
    });
    const { id } = created;
    expect(await client.conversations.retrieve(id)).toEqual(created);
    const changed = { ...created, metadata: { topic: 'b', more: '✓' } };
    expect(await client.conversations.update(id, { metadata: changed.metadata })).toEqual(changed);
    expect(await client.conversations.retrieve(id)).toEqual(changed);
    expect(await client.conversations.delete(id)).toEqual({
      id,
      object: 'conversation.deleted',
      deleted: true,
    });
    const gone = { status: 404, error: { message: `Conversation with id '${id}' not found.` } };
    await expect(client.conversations.retrieve(id)).rejects.toMatchObject(gone);
    await expect(client.conversations.update(id, { metadata: {} })).rejects.toMatchObject(gone);
    await expect(client.conversations.delete(id)).rejects.toMatchObject(gone);
    await expect(client.conversations.items.list(id)).rejects.toMatchObject(gone);
    await expect(client.conversations.items.create(id, { items: [say('x')] })).rejects.toMatchObject(gone);
    const next = client.responses.create({ model: NATIVE, input: 'Hi', conversation: id });
    await expect(next).rejects.toMatchObject({ status: 404, param: 'conversation' });
  });

  it('have items that are added, listed in pages, read and deleted', async () => {
    const { id } = await client.conversations.create();
    expect((await client.conversations.items.list(id)).data).toEqual([]);
    const call = { type: 'function_call' as const, call_id: 'call_1', name: 'find', arguments: '{}' };
    const output = { type: 'function_call_output' as const, call_id: 'call_1', output: 'Found' };
    const added = await client.conversations.items.create(id, { items: [say('One'), call, output] });
    expect(added).toMatchObject({ object: 'list', has_more: false });
    const [first, second] = added.data;
    expect(first).toMatchObject({
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: 'One' }],
    });
    expect(added.data.map((item) => item.id?.split('_')[0])).toEqual(['msg', 'fc', 'fco']);
    await client.conversations.items.create(id, { items: [say('Two')] });
    const listed: unknown[] = [];
    for await (const item of client.conversations.items.list(id, { limit: 2 })) listed.push(item);
    expect(listed).toHaveLength(4);
    expect(listed.slice(1).toReversed()).toEqual(added.data);
    const itemId = second?.id ?? '';
    expect(await client.conversations.items.retrieve(itemId, { conversation_id: id })).toEqual(second);
    const left = await client.conversations.items.delete(itemId, { conversation_id: id });
    expect(left).toMatchObject({ id, object: 'conversation' });
    await expect(client.conversations.items.retrieve(itemId, { conversation_id: id })).rejects.toMatchObject({
      status: 404,
      code: 'conversation_item_not_found',
    });
    // The others keep their ids.
    const page = await client.conversations.items.list(id, { order: 'asc' });
    expect(page.data.slice(0, 2)).toEqual([first, added.data[2]]);
    await expect(client.conversations.items.list(id, { after: 'msg_x' })).rejects.toMatchObject({
      param: 'after',
    });
  });

  it.each([
    ['items', { items: Array.from({ length: CONVERSATION_LIMITS.maxItemsAtOnce + 1 }, () => say('x')) }],
    ['items', { items: 'Hello' }],
    ['items.0', { items: ['Hello'] }],
    ['items.0', { items: [{ type: 'item_reference', id: 'msg_1' }] }],
    ['items.0.role', { items: [{}] }],
    ['items.1.call_id', { items: [say('x'), { type: 'function_call', name: 'f' }] }],
    ['metadata', { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`k${at}`, 'v'])) }],
    ['metadata', { metadata: { ['k'.repeat(65)]: 'v' } }],
    ['metadata', { metadata: { k: 'v'.repeat(513) } }],
    ['metadata', { metadata: { k: 1 } }],
  ])('refuse invalid %s', async (param, body) => {
    await expect(client.post('/conversations', { body })).rejects.toMatchObject({ status: 400, param });
  });

  it('exist for their account only, whatever the key', async () => {
    const [{ accountId, secret }, other] = [await createAccount(7), await createAccount(7)];
    const { secret: second } = await createKeyFixture(db, accountId);
    const { id } = await createClient(secret).conversations.create({ items: [say('Secret')] });
    expect(await listTexts(id, createClient(second, 1))).toEqual(['Secret']);
    const foreign = createClient(other.secret);
    const gone = { status: 404 };
    await expect(foreign.conversations.retrieve(id)).rejects.toMatchObject(gone);
    await expect(foreign.conversations.update(id, { metadata: {} })).rejects.toMatchObject(gone);
    await expect(foreign.conversations.items.list(id)).rejects.toMatchObject(gone);
    await expect(foreign.conversations.items.create(id, { items: [say('x')] })).rejects.toMatchObject(gone);
    await expect(foreign.conversations.delete(id)).rejects.toMatchObject(gone);
    const next = foreign.responses.create({ model: NATIVE, input: 'Hi', conversation: id });
    await expect(next).rejects.toMatchObject(gone);
    expect(native.seen).toHaveLength(0);
  });

  it('are encrypted, and deleted after the retention that begins with their last change', async () => {
    const { accountId, secret } = await createAccount(7);
    const caller = createClient(secret);
    const { id } = await caller.conversations.create({
      items: [say('Plainly visible')],
      metadata: { k: 'visible' },
    });
    const [row] = await db.sql<{ metadata: Buffer; items: Buffer }[]>`
      SELECT metadata_sealed AS metadata, items_sealed AS items FROM conversations c
      JOIN conversation_parts p ON p.conversation_id = c.id WHERE c.account_id = ${accountId}`;
    expect(row?.metadata.includes('visible')).toBe(false);
    expect(row?.items.includes('visible')).toBe(false);
    await db.sql`UPDATE conversations SET updated_at = now() - interval '8 days' WHERE id = ${id}`;
    await expect(caller.conversations.retrieve(id)).rejects.toMatchObject({ status: 404 });
    expect(await deleteStale(db, 'responses', { accountId, now: new Date() })).toBe(1);
    const parts = await db.sql`SELECT 1 FROM conversation_parts WHERE account_id = ${accountId}`;
    expect(parts).toHaveLength(0);
  });

  it('are refused with what to do while the account stores nothing', async () => {
    const caller = createClient((await createAccount(null)).secret);
    const refused = { status: 400, error: { message: expect.stringContaining('Team page') as unknown } };
    await expect(caller.conversations.create()).rejects.toMatchObject(refused);
    await expect(caller.conversations.retrieve('conv_1')).rejects.toMatchObject(refused);
    const next = caller.responses.create({ model: NATIVE, input: 'Hi', conversation: 'conv_1' });
    await expect(next).rejects.toMatchObject({ ...refused, param: 'conversation' });
  });

  it('count in what an account may store', async () => {
    const { accountId, secret } = await createAccount(7);
    await db.sql`INSERT INTO conversations (account_id, id, created_at, updated_at, metadata_sealed, bytes)
      VALUES (${accountId}, 'conv_large', now(), now(), '', 1073741824)`;
    const caller = createClient(secret);
    await expect(caller.conversations.create()).rejects.toMatchObject({ status: 503 });
    const given = await caller.responses.create({ model: NATIVE, input: 'Hi' });
    expect((given as unknown as { store: boolean }).store).toBe(false);
  });

  it('read bodies in threads if they are large', async () => {
    const text = 'word '.repeat(60_000);
    const { id } = await client.conversations.create({ items: [say(text)] });
    const added = await client.conversations.items.create(id, { items: [say(text), say('small')] });
    expect(await listTexts(id)).toEqual([text, text, 'small']);
    await client.conversations.items.delete(added.data[0]?.id ?? '', { conversation_id: id });
    await client.responses.create({ model: NATIVE, input: 'Two', conversation: id });
    expect(native.seen.at(-1)?.input).toHaveLength(3);
  });
});

describe.each([NATIVE, TRANSLATED])('responses of %s in a conversation', (model) => {
  it.each([false, true])('continue it and are added to it, streamed: %s', async (isStream) => {
    const { id } = await client.conversations.create({ items: [say('One')] });
    const whole: OpenAI.Responses.ResponseInput = [say('One')];
    for (const text of ['Two', 'Three']) {
      whole.push(say(text));
      await createResponse(client, { model, input: whole, store: false }, isStream);
      const sent = listSent(model).at(-1);
      const input = text === 'Two' ? text : [say(text)];
      const conversation = text === 'Two' ? id : { id };
      const given = await createResponse(client, { model, input, conversation }, isStream);
      expect(given.conversation).toEqual({ id });
      const continued = listSent(model).at(-1) ?? {};
      expect(getTexts(continued)).toEqual(getTexts(sent ?? {}));
      expect(Object.keys(continued)).not.toContain('conversation');
      whole.push(...(given.output as OpenAI.Responses.ResponseInputItem[]));
    }
    const texts = await listTexts(id);
    expect(texts.filter((text) => ['One', 'Two', 'Three'].includes(text))).toEqual(['One', 'Two', 'Three']);
    expect(texts).toHaveLength(5);
  });

  it('run in the background, and are added when they end', async () => {
    const { id } = await client.conversations.create();
    if (model === NATIVE) native.hold();
    else harness.provider.always({ headersDelayMs: 500 });
    const queued = await client.responses.create({ model, input: 'One', conversation: id, background: true });
    expect(queued.conversation).toEqual({ id });
    expect(await listTexts(id)).toEqual([]);
    native.release();
    await expect.poll(() => listTexts(id), { timeout: 5_000 }).toHaveLength(2);
    const ended = await client.responses.retrieve(queued.id);
    expect(ended).toMatchObject({ status: 'completed', conversation: { id } });
    await client.responses.create({ model, input: 'Two', conversation: id });
    expect(await listTexts(id)).toHaveLength(4);
  });
});

describe('a conversation', () => {
  it('has one request at a time, on every replica', async () => {
    const { id } = await client.conversations.create();
    native.hold();
    const first = client.responses.create({ model: NATIVE, input: 'One', conversation: id });
    await expect.poll(() => native.seen.length).toBe(1);
    const locked = { status: 400, code: 'conversation_locked', param: 'conversation' };
    for (const replica of [0, 1] as const) {
      const caller = createClient(String(client.apiKey), replica);
      const second = caller.responses.create({ model: NATIVE, input: 'Two', conversation: id });
      await expect(second).rejects.toMatchObject(locked);
    }
    const adding = client.conversations.items.create(id, { items: [say('x')] });
    await expect(adding).rejects.toMatchObject({ code: 'conversation_locked' });
    native.release();
    await first;
    await client.responses.create({ model: NATIVE, input: 'Two', conversation: id });
    expect(await listTexts(id)).toHaveLength(4);
  });

  it('is free again after a request that was refused, failed, cancelled or left', async () => {
    const { id } = await client.conversations.create();
    const ask = (body: object) =>
      client.responses.create({ model: NATIVE, input: 'One', conversation: id, ...body });
    await expect(ask({ model: 'no-such-model' })).rejects.toMatchObject({ status: 404 });
    await expect(ask({ max_output_tokens: -1 })).rejects.toBeInstanceOf(OpenAI.APIError);
    const orphan = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' };
    await expect(ask({ input: [orphan] })).rejects.toMatchObject({ status: 400 });
    native.hold();
    const leaving = new AbortController();
    const left = client.responses.create(
      { model: NATIVE, input: 'One', conversation: id },
      { signal: leaving.signal },
    );
    await expect.poll(() => native.seen.length).toBe(2);
    leaving.abort();
    await expect(left).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
    let queued: OpenAI.Responses.Response | null = null;
    await expect
      .poll(async () => (queued = await ask({ background: true }).catch(() => null)))
      .toMatchObject({ status: 'queued' });
    await client.responses.cancel((queued as OpenAI.Responses.Response | null)?.id ?? '');
    native.release();
    await expect
      .poll(() =>
        ask({}).then(
          ({ status }) => status,
          () => null,
        ),
      )
      .toBe('completed');
    expect(await listTexts(id)).toHaveLength(2);
  });

  it('is free again if the replica of its request is stale', async () => {
    const { id } = await client.conversations.create();
    await db.sql`UPDATE conversations SET locked_by = 'req_1', locked_replica = 'rep_gone' WHERE id = ${id}`;
    await client.responses.create({ model: NATIVE, input: 'One', conversation: id });
    expect(await listTexts(id)).toHaveLength(2);
  });

  it('is not combined with a previous response, nor with store: false', async () => {
    const { id } = await client.conversations.create();
    const ask = (body: object) =>
      client.responses.create({ model: NATIVE, input: 'One', conversation: id, ...body });
    await expect(ask({ previous_response_id: 'resp_1' })).rejects.toMatchObject({
      status: 400,
      param: 'previous_response_id',
    });
    await expect(ask({ store: false })).rejects.toMatchObject({ status: 400, param: 'store' });
    await expect(ask({ conversation: 5 })).rejects.toMatchObject({ status: 400, param: 'conversation' });
  });

  it('counts in the input tokens of a request', async () => {
    const { id } = await client.conversations.create({ items: [say('word '.repeat(500))] });
    const count = async (body: object) =>
      (await client.responses.inputTokens.count({ model: TRANSLATED, input: 'Hi', ...body })).input_tokens;
    expect(await count({ conversation: id })).toBeGreaterThan((await count({})) + 400);
    // A count does not take it.
    await client.responses.create({ model: NATIVE, input: 'One', conversation: id });
  });
});

/** The conversation, without ids that only the provider's own items have. */
function getTexts(sent: Record<string, unknown>): string {
  return JSON.stringify(sent['input'] ?? sent['messages']).replaceAll('"type":"message",', '');
}
