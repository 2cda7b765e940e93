import { stopKeepingResponses } from '@tollgate/db/queries/responses/response-setting';
import { deleteStaleResponses } from '@tollgate/db/queries/responses/delete-stale-responses';
import { createKeyFixture } from '@tollgate/testing/factories';
import OpenAI from 'openai';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { NATIVE, startStoredHarness, TRANSLATED } from './stored-harness.ts';

const stage = await startStoredHarness();
const { client, clientOf, createAccount, harness } = stage;
afterAll(() => stage[Symbol.asyncDispose]());
beforeEach(() => {
  harness.provider.reset();
  stage.native.seen.length = 0;
});

/** Creates a response, streamed or not. @returns the response as the caller has it in the end */
async function create(caller: OpenAI, body: OpenAI.Responses.ResponseCreateParams, isStream: boolean) {
  if (!isStream) return caller.responses.create({ ...body, stream: false });
  const ids = new Set<string>();
  let last: OpenAI.Responses.Response | null = null;
  for await (const event of await caller.responses.create({ ...body, stream: true })) {
    if (!('response' in event)) continue;
    ids.add(event.response.id);
    last = event.response;
  }
  expect(ids.size).toBe(1);
  if (last === null) throw new Error('The stream had no response');
  return last;
}
const flagsOf = (response: OpenAI.Responses.Response) => response as unknown as { store?: boolean };

describe.each([NATIVE, TRANSLATED])('stored responses of %s', (model) => {
  it.each([false, true])(
    'are there as the caller got them, on each replica, streamed: %s',
    async (isStream) => {
      const { secret } = await createAccount(7);
      const given = await create(
        clientOf(secret),
        { model, input: 'Hello', instructions: 'Be brief.' },
        isStream,
      );
      expect(flagsOf(given).store).toBe(true);
      expect(given.id).toMatch(/^resp_[0-9a-z]{26}$/);
      for (const replica of [0, 1] as const) {
        const { output_text: _, ...read } = await clientOf(secret, replica).responses.retrieve(given.id);
        const { output_text: __, ...expected } = given;
        expect(read).toEqual(expected);
      }
      expect(stage.sentTo(model).at(-1)?.['store'] ?? false).toBe(false);
    },
  );

  it('have a header that says whether they are stored', async () => {
    const headerOf = async (caller: OpenAI, body: object) => {
      const call = caller.responses.create({ model, input: 'Hello', ...body });
      return (await call.asResponse()).headers.get('x-tollgate-stored');
    };
    const { secret } = await createAccount(null);
    expect(await headerOf(client, {})).toBe('true');
    expect(await headerOf(client, { stream: true })).toBe('true');
    expect(await headerOf(client, { store: false })).toBeNull();
    expect(await headerOf(clientOf(secret), { store: true })).toBe('false');
  });

  it.each([false, true])(
    'continue with what a caller that keeps the conversation would send, for the same amount, streamed: %s',
    async (isStream) => {
      const whole: OpenAI.Responses.ResponseInput = [];
      let previous: string | null = null;
      for (const text of ['One', 'Two', 'Three']) {
        const turn = { role: 'user' as const, content: text };
        whole.push(turn);
        const stateless = await create(client, { model, input: whole, store: false }, isStream);
        const sent = stage.sentTo(model).at(-1);
        const input = text === 'Two' ? text : [turn];
        const stateful: OpenAI.Responses.Response = await create(
          clientOf(String(client.apiKey), text === 'Two' ? 1 : 0),
          {
            model,
            input,
            ...(previous === null ? { instructions: 'Only here' } : { previous_response_id: previous }),
          },
          isStream,
        );
        expect(stateful.previous_response_id).toBe(previous);
        const continued = stage.sentTo(model).at(-1);
        if (previous !== null) {
          expect(continued).toEqual(sent);
          expect(conversationOf(continued)).toBe(conversationOf(sent));
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
    const { id } = await clientOf(secret).responses.create({ model, input: 'Secret' });
    expect((await clientOf(second).responses.retrieve(id)).id).toBe(id);
    const foreign = clientOf(other.secret);
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
    expect((await clientOf(secret).responses.retrieve(id)).id).toBe(id);
  });

  it('are not stored for `store: false`, nor if the request fails', async () => {
    const { accountId, secret } = await createAccount(7);
    const caller = clientOf(secret);
    const { id } = await caller.responses.create({ model, input: 'Hello', store: false });
    await expect(caller.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
    await expect(caller.responses.create({ model: 'none', input: 'Hello' })).rejects.toMatchObject({
      status: 404,
    });
    expect(await countRows(accountId)).toBe(0);
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

it('refuses to continue anything while the account stores nothing', async () => {
  const { secret } = await createAccount(null);
  const call = clientOf(secret).responses.create({
    model: NATIVE,
    input: 'Hi',
    previous_response_id: 'resp_1',
  });
  await expect(call).rejects.toMatchObject({
    status: 400,
    code: 'unsupported_parameter',
    param: 'previous_response_id',
  });
  await expect(clientOf(secret).responses.retrieve('resp_1')).rejects.toMatchObject({ status: 404 });
});

it('encrypts what it stores', async () => {
  const { accountId, secret } = await createAccount(7);
  await clientOf(secret).responses.create({ model: NATIVE, input: 'Plainly visible' });
  const [row] = await harness.database.db.sql<{ input: Buffer; response: Buffer }[]>`
    SELECT input_sealed AS input, response_sealed AS response FROM stored_responses WHERE account_id = ${accountId}`;
  expect(row?.input.includes('visible')).toBe(false);
  expect(row?.response.includes('Done')).toBe(false);
});

it('hides and deletes responses after their retention, and all when storing is turned off', async () => {
  const { accountId, secret, userId } = await createAccount(7);
  const { db } = harness.database;
  const caller = clientOf(secret);
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) ids.push((await caller.responses.create({ model: NATIVE, input: 'Hello' })).id);
  const [old = '', young = ''] = ids;
  await db.sql`UPDATE stored_responses SET created_at = now() - interval '8 days' WHERE id = ${old}`;
  await expect(caller.responses.retrieve(old)).rejects.toMatchObject({ status: 404 });
  await expect(caller.responses.delete(old)).rejects.toMatchObject({ status: 404 });
  expect((await caller.responses.retrieve(young)).id).toBe(young);
  await db.sql`UPDATE stored_responses SET created_at = now() - interval '8 days' WHERE id = ${young}`;
  expect(await deleteStaleResponses(db, { accountId, now: new Date() })).toBe(1);
  await stopKeepingResponses(db, { accountId, actorUserId: userId });
  await expect
    .poll(() =>
      caller.responses.retrieve(ids[2] ?? '').then(
        () => 200,
        ({ status }) => status as number,
      ),
    )
    .toBe(404);
  expect(await deleteStaleResponses(db, { accountId, now: new Date() })).toBe(1);
  expect(await countRows(accountId)).toBe(0);
});

it('says that a response is not stored while the database does not take it', async () => {
  const { secret } = await createAccount(7);
  const { sql } = harness.database.db;
  await sql`ALTER TABLE stored_responses ADD CONSTRAINT broken CHECK (bytes < 0) NOT VALID`;
  try {
    for (const isStream of [false, true]) {
      const given = await create(clientOf(secret), { model: NATIVE, input: 'Hello' }, isStream);
      expect(flagsOf(given).store).toBe(false);
      expect(given.status).toBe('completed');
    }
  } finally {
    await sql`ALTER TABLE stored_responses DROP CONSTRAINT broken`;
  }
});

async function countRows(accountId: string): Promise<number> {
  const rows = await harness.database.db.sql`SELECT 1 FROM stored_responses WHERE account_id = ${accountId}`;
  return rows.length;
}

/** As the provider reads it, byte for byte. */
function conversationOf(sent: Record<string, unknown> | undefined): string {
  return JSON.stringify(sent?.['input'] ?? sent?.['messages']);
}
