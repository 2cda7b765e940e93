import { randomBytes } from 'node:crypto';
import { createSealer } from '@tollgate/auth/seal';
import { addRoute } from '@tollgate/db/queries/catalogue/routes';
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { addCredential } from '@tollgate/db/queries/providers/provider-credentials';
import { createTestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { createFakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import { credentialContext } from '@tollgate/upstreams/credential/credential';
import { post } from '../../src/testing/call-api.ts';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';
import { PRICES } from '../gateway-fixture.ts';

const MODEL = 'shared-model';

/** No pattern matches them: redaction must know them. */
export const getValue = (label: string) => `zq9.opaque.value.of.${label}`;
export const getAuthorization = (label: string) => `Bearer ${getValue(label)}`;

/**
 * A provider with the credentials `first`, `second`, …, a spare provider with a lower priority, and replicas of the gateway.
 * @param attempts of one request, over both providers
 */
export async function startWithCredentials(
  labels: readonly string[],
  { replicas = 1, attempts = 2 }: { replicas?: number; attempts?: number } = {},
) {
  const disposables = new AsyncDisposableStack();
  const { db } = disposables.use(await createTestDatabase());
  const provider = disposables.use(await createFakeProvider({ models: [MODEL] }));
  const spare = disposables.use(await createFakeProvider({ models: [MODEL] }));
  const encryptionKey = randomBytes(32).toString('base64');
  for (const [name, { origin }] of Object.entries({ provider, spare })) {
    const models = name === 'provider' ? [{ id: MODEL, upstreamModel: null, facts: {}, prices: PRICES }] : [];
    await ensureBuiltIn(db, {
      name,
      dialect: 'openai-chat',
      baseUrl: `${origin}/v1`,
      credentialEnv: null,
      preset: null,
      models,
    });
  }
  await addRoute(db, { modelId: MODEL, providerName: 'spare', upstreamModel: null, priority: 1, weight: 1 });
  const [row] = await db.sql<{ id: string }[]>`SELECT id FROM providers WHERE name = 'provider'`;
  const providerId = row?.id ?? '';
  const seal = (label: string) => {
    const credential = { kind: 'api-key', apiKey: getValue(label), headers: {} };
    const sealed = createSealer(encryptionKey)?.seal(
      JSON.stringify(credential),
      credentialContext(providerId),
    );
    return sealed ?? Buffer.alloc(0);
  };
  const [first = '', ...others] = labels;
  await db.sql`UPDATE providers SET credential_sealed = ${seal(first)} WHERE id = ${providerId}`;
  for (const label of others) {
    const added = { providerId, label, weight: 1, credentialSealed: seal(label), actorUserId: null };
    if (!(await addCredential(db, added)).ok) throw new Error(`The credential ${label} was not added`);
  }
  const { accountId } = await createAccountFixture(db);
  const { secret } = await createKeyFixture(db, accountId);
  const apis: TestApi[] = [];
  for (let at = 0; at < replicas; at++)
    apis.push(await startTestApi({ db, runtime: 'node', encryptionKey, attempts }));
  for (const api of apis) disposables.defer(() => api.close());

  return {
    db,
    provider,
    spare,
    providerId,
    encryptionKey,
    apis,
    seal,
    /** The labels of the credentials that the provider got, in order. */
    used: () =>
      provider.requests.map(({ headers }) =>
        labels.find((label) => headers.authorization === getAuthorization(label)),
      ),
    ask: (options: { session?: string; replica?: number; body?: object } = {}) => {
      const { session, replica = 0, body = {} } = options;
      const headers: Record<string, string> = session === undefined ? {} : { 'x-session-id': session };
      const request = { model: MODEL, messages: [{ role: 'user', content: 'Hello.' }], ...body };
      return post(`${apis[replica]?.baseUrl ?? ''}/chat/completions`, request, { secret, headers });
    },
    /** The state of each credential, by label. */
    readStates: async () => {
      const rows = await db.sql<{ label: string; cause: string | null; message: string | null }[]>`
        SELECT label, set_aside_cause AS cause, set_aside_message AS message FROM provider_credentials
        WHERE provider_id = ${providerId}`;
      return Object.fromEntries(rows.map(({ label, cause, message }) => [label, { cause, message }]));
    },
    [Symbol.asyncDispose]: () => disposables.disposeAsync(),
  };
}
