/** The ID that a provider gives to a request is stored with the attempt, whatever it answers. */
import { afterAll, beforeEach, expect, it } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { startSealedProvider } from './sealed-provider.ts';

const { api, provider, spare, secret, sql, close } = await startSealedProvider();
afterAll(close);
beforeEach(() => {
  provider.reset();
  spare.reset();
});

/** Of the fake provider. */
const ID = 'req_fake0001';

async function ask(model: string) {
  const messages = [{ role: 'user', content: 'Hi' }];
  const response = await post(`${api.baseUrl}/chat/completions`, { model, messages }, { secret });
  await response.text();
  const read = () => sql<{ id: string | null; attempts: { requestId?: string }[] | null }[]>`
    SELECT provider_request_id AS id, attempts FROM requests
    WHERE id = ${response.headers.get('x-request-id')} AND state = 'settled'`;
  await expect.poll(read).toHaveLength(1);
  const [row] = await read();
  return { id: row?.id, attempts: row?.attempts?.map(({ requestId }) => requestId) ?? null };
}

it('stores it with a request that its first attempt answers', async () => {
  expect(await ask('openai')).toEqual({ id: ID, attempts: null });
});

it('stores it with each attempt', async () => {
  provider.always({ error: { status: 500 } });
  expect(await ask('both')).toEqual({ id: ID, attempts: expect.arrayContaining([ID]) as string[] });
});

it('stores it with a request that the provider refuses', async () => {
  provider.always({ error: { status: 400 } });
  expect(await ask('openai')).toEqual({ id: ID, attempts: [ID] });
});

it('stores none for an attempt without a response', async () => {
  provider.always({ cutBeforeHeaders: true, cutBy: 'reset' });
  spare.always({ cutBeforeHeaders: true, cutBy: 'reset' });
  const { id, attempts } = await ask('both');
  expect(id).toBeNull();
  expect(attempts?.every((attempt) => attempt === undefined)).toBe(true);
});
