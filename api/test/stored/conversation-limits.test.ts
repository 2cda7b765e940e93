import { randomBytes } from 'node:crypto';
import { createSealer } from '@tollgate/auth/seal';
import { sealConversation } from '@tollgate/auth/seal-conversation';
import { CONVERSATION_LIMITS } from '@tollgate/core/requests/stored-responses';
import { longestTurn } from '@tollgate/testing/longest-turn';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { NATIVE } from '../native-provider.ts';
import { ENCRYPTION_KEY, startStoredHarness } from './stored-harness.ts';

const gateway = await startStoredHarness();
const { client, createClient, createAccount, harness, native, apis } = gateway;
const { db } = harness.database;
const { deps, baseUrl } = apis[0];
afterAll(() => gateway[Symbol.asyncDispose]());
beforeEach(() => {
  native.release();
  native.seen.length = 0;
});

const say = (text: string) => ({ type: 'message' as const, role: 'user' as const, content: text });
const post = (path: string, body: object, secret = String(client.apiKey)) =>
  fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Locks the row of a conversation in the database until it is disposed of. */
async function blockRow(id: string): Promise<AsyncDisposable> {
  const locked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const blocking = db.sql.begin(async (sql) => {
    await sql`SELECT 1 FROM conversations WHERE id = ${id} FOR UPDATE`;
    locked.resolve();
    await gate.promise;
  });
  await locked.promise;
  return {
    async [Symbol.asyncDispose]() {
      gate.resolve();
      await blocking;
    },
  };
}

describe('a conversation of many parts', () => {
  const PARTS = 4_000;
  /** In processor time; all parts at once take ten times as long. */
  const MAX_TURN_MS = 60;

  it('is read without blocking the event loop', async () => {
    const { accountId, secret } = await createAccount(7);
    const { id } = await createClient(secret).conversations.create();
    const place = { accountId, id };
    const sealer = createSealer(ENCRYPTION_KEY);
    const items = Buffer.from(JSON.stringify([say('Hello')]));
    const rows = await Promise.all(
      Array.from({ length: PARTS }, async (_, number) => ({
        account_id: accountId,
        conversation_id: id,
        number,
        id: `p${number}`,
        created_at: new Date().toISOString(),
        items_sealed: await sealConversation(sealer, items, { ...place, part: `p${number}` }),
        size: items.length,
      })),
    );
    for (let at = 0; at < PARTS; at += 1_000)
      await db.sql`INSERT INTO conversation_parts ${db.sql(rows.slice(at, at + 1_000))}`;
    await db.sql`UPDATE conversations SET size = ${PARTS * items.length}, next_part = ${PARTS} WHERE id = ${id}`;
    const { conversations } = deps.stored;
    const turnsMs: number[] = [];
    // The least of several: a turn may include a garbage collection of the test itself.
    for (let time = 0; time < 3; time += 1) {
      const read = await longestTurn(() => conversations.readParts(place));
      expect(read.result.map((part) => part.id)).toEqual(rows.map((row) => row.id));
      turnsMs.push(read.longestMs);
    }
    expect(Math.min(...turnsMs)).toBeLessThan(MAX_TURN_MS);
  });
});

describe('items', () => {
  it('are not added to an account without room', async () => {
    const { accountId, secret } = await createAccount(7);
    // Each replica knows the total of an account for some seconds: this one has not read it.
    const { id } = await createClient(secret, 1).conversations.create();
    await db.sql`INSERT INTO conversations (account_id, id, created_at, updated_at, metadata_sealed, bytes)
      VALUES (${accountId}, 'conv_large', now(), now(), '', 1073741824)`;
    const added = await post(`/conversations/${id}/items`, { items: [say('x')] }, secret);
    expect(added.status).toBe(503);
    expect(await added.json()).toMatchObject({
      error: { message: expect.stringContaining('no room') as string },
    });
  });

  it('are not added to a full conversation, which is not called locked', async () => {
    const { id } = await client.conversations.create();
    await db.sql`UPDATE conversations SET next_part = ${CONVERSATION_LIMITS.maxParts} WHERE id = ${id}`;
    const added = await post(`/conversations/${id}/items`, { items: [say('x')] });
    expect(added.status).toBe(413);
    expect(await added.json()).toMatchObject({ error: { code: 'request_too_large', param: 'items' } });
  });

  it('larger than a piece are added, read and deleted', async () => {
    const { id } = await client.conversations.create();
    // They cannot be compressed.
    const texts = [1, 2, 3].map(() => randomBytes(1.2 * 1024 * 1024).toString('base64'));
    const added = await client.conversations.items.create(id, { items: texts.slice(0, 2).map(say) });
    await client.conversations.items.delete(added.data[0]?.id ?? '', { conversation_id: id });
    await client.responses.create({ model: NATIVE, input: texts[2] ?? '', conversation: id });
    const page = await client.conversations.items.list(id, { order: 'asc' });
    const shown = page.data.flatMap((item) => (item.type === 'message' ? item.content : []));
    expect(shown.slice(0, 2)).toMatchObject([{ text: texts[1] }, { text: texts[2] }]);
  });
});

describe('the metadata of a conversation', () => {
  it('must be given to be changed', async () => {
    const { id } = await client.conversations.create({ metadata: { topic: 'a' } });
    const changed = await post(`/conversations/${id}`, {});
    expect(changed.status).toBe(400);
    expect(await changed.json()).toMatchObject({ error: { param: 'metadata' } });
    expect((await client.conversations.retrieve(id)).metadata).toEqual({ topic: 'a' });
    expect((await client.conversations.update(id, { metadata: null })).metadata).toEqual({});
  });
});

it('no conversation has an id that the database refuses', async () => {
  const headers = { authorization: `Bearer ${String(client.apiKey)}` };
  expect((await fetch(`${baseUrl}/conversations/conv_%00x`, { headers })).status).toBe(404);
  const asked = await post('/responses', { model: NATIVE, input: 'x', conversation: 'conv_\u0000x' });
  expect(asked.status).toBe(404);
});

it('what cannot be decrypted is reported as such, and can be deleted', async () => {
  const { accountId, secret } = await createAccount(7);
  const caller = createClient(secret);
  const response = await caller.responses.create({ model: NATIVE, input: 'One' });
  const conversation = await caller.conversations.create({ items: [say('One')] });
  await db.sql`UPDATE stored_responses SET response_sealed = 'broken' WHERE account_id = ${accountId}`;
  await db.sql`UPDATE conversation_parts SET items_sealed = 'broken' WHERE account_id = ${accountId}`;
  await db.sql`UPDATE conversations SET metadata_sealed = 'broken' WHERE account_id = ${accountId}`;
  const broken = { status: 500, error: { message: expect.stringContaining('decrypted') as string } };
  const next = { model: NATIVE, input: 'Two' };
  await expect(caller.responses.retrieve(response.id)).rejects.toMatchObject(broken);
  const continued = caller.responses.create({ ...next, previous_response_id: response.id });
  await expect(continued).rejects.toMatchObject(broken);
  await expect(caller.conversations.retrieve(conversation.id)).rejects.toMatchObject(broken);
  const added = caller.responses.create({ ...next, conversation: conversation.id });
  await expect(added).rejects.toMatchObject(broken);
  await caller.responses.delete(response.id);
  await caller.conversations.delete(conversation.id);
});

describe('a conversation that the database does not unlock', () => {
  it('does not keep its caller waiting, and is unlocked later', async () => {
    const { id } = await client.conversations.create();
    native.hold();
    const waiting = post('/responses', { model: NATIVE, input: [say('One')], conversation: id });
    await expect.poll(() => native.seen.length).toBeGreaterThan(0);
    {
      await using _ = await blockRow(id);
      native.release();
      const response = await waiting;
      expect(await response.json()).toMatchObject({ status: 'completed', store: false });
    }
    const again = () => post('/responses', { model: NATIVE, input: 'Two', conversation: id });
    await expect.poll(async () => (await again()).status).toBe(200);
  });

  it('is unlocked once the database takes it, whatever becomes of others', async () => {
    const { id: stuck } = await client.conversations.create();
    const { id } = await client.conversations.create();
    const refuse = (ids: readonly string[]) =>
      db.sql.unsafe(`
        CREATE OR REPLACE FUNCTION refuse_unlock() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF NEW.locked_by IS NULL AND NEW.id = ANY ('{${ids.join(',')}}'::text[]) THEN RAISE EXCEPTION 'not now'; END IF;
          RETURN NEW;
        END $$`);
    await refuse([stuck, id]);
    await db.sql.unsafe(
      'CREATE TRIGGER refuse_unlock BEFORE UPDATE ON conversations FOR EACH ROW EXECUTE FUNCTION refuse_unlock()',
    );
    try {
      for (const conversation of [stuck, id])
        expect((await post('/responses', { model: 'none', input: 'One', conversation })).status).toBe(404);
      await refuse([stuck]);
      const again = () => post('/responses', { model: NATIVE, input: 'Two', conversation: id });
      await expect.poll(async () => (await again()).status).toBe(200);
    } finally {
      await db.sql.unsafe('DROP FUNCTION refuse_unlock CASCADE');
    }
    const again = () => post('/responses', { model: NATIVE, input: 'Two', conversation: stuck });
    await expect.poll(async () => (await again()).status).toBe(200);
  });
});
