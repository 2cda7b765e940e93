import { createCachingModel } from '@tollgate/testing/fake-provider/prompt-cache/caching-model';
import { createKeyFixture } from '@tollgate/testing/factories';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { post, readJson, type ErrorBody } from '../../src/testing/call-api.ts';
import { startProviderGateway, type ProviderGateway } from '../provider-gateway.ts';

const CLAUDE = 'claude-sonnet-5';
const OTHER = 'glm-5';
const TPM = 50_000;
/** 44,000 tokens of the provider. */
const LONG = 'A line of the repository that the agent works on.\n'.repeat(3_500);
const MARK = { cache_control: { type: 'ephemeral' } };

let gateway: ProviderGateway;
beforeAll(async () => {
  gateway = await startProviderGateway([
    { name: 'cached', dialect: 'anthropic-messages', preset: null, models: [CLAUDE, OTHER] },
  ]);
  const model = createCachingModel({ now: () => 0, isText: () => true });
  gateway.provider.always(model.messages, { path: '/v1/messages' });
});
afterAll(() => gateway[Symbol.asyncDispose]());

/** One turn of an agent, with all of its earlier ones. */
function ask(
  secret: string,
  turn: number,
  { model = CLAUDE, session = 's', more = '' } = {},
): Promise<Response> {
  const turns = Array.from({ length: turn }, (_, at) => [
    { role: 'user', content: `Do step ${at}.` },
    { role: 'assistant', content: 'Done.' },
  ]).flat();
  const last = { role: 'user', content: [{ type: 'text', text: `Go on.${more}`, ...MARK }] };
  return post(
    `${gateway.baseUrl}/messages`,
    {
      model,
      max_tokens: 100,
      system: [{ type: 'text', text: `${secret} ${session}\n${LONG}`, ...MARK }],
      metadata: { user_id: session },
      messages: [...turns, last],
    },
    { secret, headers: { 'anthropic-version': '2023-06-01' } },
  );
}
const createKey = async () =>
  (await createKeyFixture(gateway.database.db, gateway.accountId, { tpm: TPM })).secret;

it('are not refused for input that they only read from the cache', async () => {
  const secret = await createKey();
  for (let turn = 0; turn < 10; turn += 1) {
    const response = await ask(secret, turn);
    expect({ turn, status: response.status, text: await response.text() }).toMatchObject({ status: 200 });
  }
});

it('are refused beyond the limit if their input is new', async () => {
  const secret = await createKey();
  expect((await ask(secret, 0, { session: 'a' })).status).toBe(200);
  const other = await ask(secret, 0, { session: 'b' });
  expect(other.status).toBe(429);
  const { error } = await readJson<ErrorBody>(other);
  expect(error.message).toContain(`${TPM} tokens per minute (TPM)`);
  // The refused request has changed nothing for the session.
  expect((await ask(secret, 1, { session: 'a' })).status).toBe(200);
});

it('cannot name a session in order to exceed the limit many times', async () => {
  const secret = await createKey();
  expect((await ask(secret, 0)).status).toBe(200);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) => ask(secret, 1, { more: `${at} ${LONG}${at}` })),
  );
  const served = answers.filter(({ status }) => status === 200).length;
  expect(served).toBeLessThanOrEqual(1);
});

it('count all of their input where cache reads count', async () => {
  const secret = await createKey();
  expect((await ask(secret, 0, { model: OTHER })).status).toBe(200);
  expect((await ask(secret, 1, { model: OTHER })).status).toBe(429);
});
