import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import type { APIError } from 'openai';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { PRICES } from '../gateway-fixture.ts';
import { NATIVE } from '../native-provider.ts';
import { createResponse, startStoredHarness } from './stored-harness.ts';

const gateway = await startStoredHarness();
const { client, createClient, createAccount, harness, native, apis } = gateway;
const { db } = harness.database;
const FAILING = 'failing-model';
const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Done', annotations: [] }],
};

/** A provider whose streams end with a response of a status. */
let status = 'failed';
let text = 'Done';
const provider = createServer((request, response) => {
  request
    .resume()
    .on('end', () => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(writeStream()));
});
await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
await ensureBuiltIn(db, {
  name: 'failing',
  dialect: 'openai-responses',
  baseUrl: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`,
  credentialEnv: null,
  preset: null,
  models: [{ id: FAILING, upstreamModel: 'upstream', facts: {}, prices: PRICES }],
});
for (const api of apis) await api.deps.catalogue.load();
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await new Promise((resolve) => provider.close(resolve));
});
beforeEach(() => {
  native.release();
  native.seen.length = 0;
});

function writeStream(): string {
  const usage = { input_tokens: 5, output_tokens: 5, total_tokens: 10 };
  const created = {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    status: 'in_progress',
    model: 'upstream',
    output: [],
  };
  const error = status === 'failed' ? { code: 'server_error', message: 'The model failed.' } : null;
  const output = [{ ...MESSAGE, content: [{ ...MESSAGE.content[0], text }] }];
  const events: [string, object][] = [
    ['response.created', { response: created }],
    ['response.output_text.delta', { output_index: 0, item_id: 'msg_1', content_index: 0, delta: 'Done' }],
    [`response.${status}`, { response: { ...created, status, output, error, usage } }],
  ];
  return events
    .map(
      ([type, members], at) =>
        `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: at, ...members })}\n\n`,
    )
    .join('');
}

const countItems = async (id: string) => (await client.conversations.items.list(id)).data.length;

it.each([
  ['failed', 0],
  ['incomplete', 2],
  ['completed', 2],
])('a stream that ends as %s adds %i items to its conversation', async (end, items) => {
  for (const size of [1, 100_000]) {
    const { id } = await client.conversations.create();
    status = end;
    text = 'x'.repeat(size);
    const given = await createResponse(client, { model: FAILING, input: 'One', conversation: id }, true);
    expect(given.status).toBe(end);
    expect((await client.responses.retrieve(given.id)).status).toBe(end);
    // It is free again with its last event.
    await client.responses.create({ model: NATIVE, input: 'Two', conversation: id });
    expect(await countItems(id)).toBe(items + 3);
  }
});

it('a response in the background that fails adds nothing to its conversation', async () => {
  const { id } = await client.conversations.create();
  const orphan = { type: 'reasoning' as const, id: 'rs_1', summary: [], encrypted_content: 'x' };
  const asked = { model: NATIVE, input: [orphan], conversation: id, background: true };
  const queued = await client.responses.create(asked);
  await expect.poll(async () => (await client.responses.retrieve(queued.id)).status).toBe('failed');
  expect(await countItems(id)).toBe(0);
});

it('a response in the background is stored even if its conversation was deleted', async () => {
  const { id } = await client.conversations.create();
  native.hold();
  const asked = { model: NATIVE, input: 'One', conversation: id, background: true };
  const queued = await client.responses.create(asked);
  await client.conversations.delete(id);
  native.release();
  await expect.poll(async () => (await client.responses.retrieve(queued.id)).status).toBe('completed');
});

it('a response in the background does not run with a key that was revoked while it was stored', async () => {
  const { accountId, secret } = await createAccount(7);
  const changed = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const blocking = db.sql.begin(async (sql) => {
    await sql`SELECT 1 FROM accounts WHERE id = ${accountId} FOR UPDATE`;
    changed.resolve();
    await gate.promise;
  });
  await changed.promise;
  const caller = createClient(secret);
  const asked = caller.responses.create({ model: NATIVE, input: 'One', background: true });
  const refused = asked.catch((error: unknown) => error);
  await expect.poll(() => apis[0].deps.stored.background.size).toBe(1);
  await db.sql`UPDATE api_keys SET revoked_at = now() WHERE account_id = ${accountId}`;
  // The replica has heard of it.
  const listModels = () =>
    caller.models.list().then(
      () => 200,
      (error: APIError) => error.status,
    );
  await expect.poll(listModels).toBe(401);
  gate.resolve();
  await blocking;
  expect(await refused).toMatchObject({ status: 401 });
  expect(native.seen).toHaveLength(0);
});
