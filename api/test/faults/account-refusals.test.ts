import { randomBytes } from 'node:crypto';
import { createSealer } from '@tollgate/auth/seal';
import { createTestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { createFakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import { credentialContext } from '@tollgate/upstreams/credential/credential';
import { afterAll, expect, it } from 'vitest';
import { post, readJson, type ErrorBody } from '../../src/testing/call-api.ts';
import { startTestApi } from '../../src/testing/start-test-api.ts';

const SECRET = 'zq9-opaque.provider.credential';

const database = await createTestDatabase();
const { sql } = database.db;
const encryptionKey = randomBytes(32).toString('base64');
const provider = await createFakeProvider();
const spare = await createFakeProvider();
const { accountId } = await createAccountFixture(database.db);
const { secret } = await createKeyFixture(database.db, accountId, {});
const credential = JSON.stringify({ kind: 'api-key', apiKey: SECRET, headers: {} });
const sealed = createSealer(encryptionKey)?.seal(credential, credentialContext('openai')) ?? null;
await sql`INSERT INTO providers (id, name, dialect, base_url, credential_sealed)
  VALUES ('openai', 'openai', 'openai-chat', ${`${provider.origin}/v1`}, ${sealed}),
    ('spare', 'spare', 'openai-chat', ${`${spare.origin}/v1`}, NULL)`;
for (const model of ['openai', 'both']) {
  await sql`INSERT INTO models (id) VALUES (${model})`;
  await sql`INSERT INTO model_prices (model_id, input_nano_usd_per_mtok, output_nano_usd_per_mtok, effective_from)
    VALUES (${model}, 1000000000, 2000000000, now() - interval '1 minute')`;
}
await sql`INSERT INTO routes (id, model_id, provider_id, priority)
  VALUES ('route_openai', 'openai', 'openai', 0), ('route_both_a', 'both', 'openai', 0), ('route_both_b', 'both', 'spare', 1)`;
const api = await startTestApi({ db: database.db, runtime: 'node', encryptionKey, attempts: 2 });

afterAll(async () => {
  await api.close();
  await provider.close();
  await spare.close();
  await database[Symbol.asyncDispose]();
});

const call = (model: string) =>
  post(
    `${api.baseUrl}/chat/completions`,
    { model, messages: [{ role: 'user', content: 'Hello' }] },
    { secret },
  );

const findNewestAttempts = async () => {
  const [row] = await sql<{ attempts: { message?: string }[] | null }[]>`
    SELECT attempts FROM requests WHERE model = 'openai' ORDER BY id DESC LIMIT 1`;
  return row?.attempts ?? [];
};

it('keeps what a provider says about the account for the operator, without secrets', async () => {
  provider.reset();
  const body = Buffer.from(JSON.stringify({ error: { message: `Your key ${SECRET} has expired` } }));
  provider.always({ replay: { status: 401, body, contentType: 'application/json' } });
  const refused = await call('openai');
  expect(await refused.text()).not.toContain('expired');
  await expect
    .poll(async () => (await findNewestAttempts()).at(-1)?.message)
    .toBe('Your key [redacted] has expired');
});

it.each([
  [400, { error: { message: 'Your credit balance is too low.', type: 'invalid_request_error' } }],
  [402, { error: { message: 'Insufficient Balance', type: 'unknown_error', code: 'invalid_request_error' } }],
  [429, { error: { message: 'You exceeded your current quota.', type: 'x', code: 'insufficient_quota' } }],
])(
  'fails over when the account at a provider has no credit (%i), and is upstream_misconfigured without another route',
  async (status, refusal) => {
    provider.reset();
    const body = Buffer.from(JSON.stringify(refusal));
    provider.always({ replay: { status, body, contentType: 'application/json' } });
    expect((await call('both')).status).toBe(200);
    expect(spare.requests).toHaveLength(1);
    spare.reset();
    const alone = await call('openai');
    expect(alone.status).toBe(502);
    expect(await readJson<ErrorBody>(alone)).toMatchObject({
      error: {
        code: 'upstream_misconfigured',
        message:
          "The gateway's account at the provider of this model has no credit. Contact the gateway's operator.",
      },
    });
    const said = refusal.error.message;
    await expect.poll(async () => (await findNewestAttempts()).at(-1)).toMatchObject({ message: said });
  },
);
