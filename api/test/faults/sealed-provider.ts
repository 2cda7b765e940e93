import { randomBytes } from 'node:crypto';
import { createSealer } from '@tollgate/auth/seal';
import { createTestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { createFakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import { credentialContext } from '@tollgate/upstreams/credential/credential';
import { startTestApi } from '../../src/testing/start-test-api.ts';

/** It has no format that a pattern could match: redaction must know it. */
export const SECRET = 'zq9-opaque.provider.credential';
export const ORGANIZATION = 'acme-holding-internal';

const DIALECTS = { openai: 'openai-chat', anthropic: 'anthropic-messages' } as const;

/**
 * A gateway with the models `openai` and `anthropic`, whose provider has a sealed credential, and `both`, which `openai`
 * serves first and then a spare provider without a credential.
 */
export async function startSealedProvider() {
  const database = await createTestDatabase();
  const { sql } = database.db;
  const encryptionKey = randomBytes(32).toString('base64');
  const provider = await createFakeProvider();
  const spare = await createFakeProvider();
  const { accountId } = await createAccountFixture(database.db);
  const { secret } = await createKeyFixture(database.db, accountId, {});
  const seal = (id: string, apiKey: string) => {
    const credential = { kind: 'api-key', apiKey, headers: { 'x-account': ORGANIZATION } };
    return createSealer(encryptionKey)?.seal(JSON.stringify(credential), credentialContext(id)) ?? null;
  };
  for (const [id, dialect] of Object.entries(DIALECTS))
    await sql`INSERT INTO providers (id, name, dialect, base_url, credential_sealed)
      VALUES (${id}, ${id}, ${dialect}, ${`${provider.origin}/v1`}, ${seal(id, SECRET)})`;
  await sql`INSERT INTO providers (id, name, dialect, base_url)
    VALUES ('spare', 'spare', 'openai-chat', ${`${spare.origin}/v1`})`;
  for (const model of [...Object.keys(DIALECTS), 'both']) {
    await sql`INSERT INTO models (id) VALUES (${model})`;
    await sql`INSERT INTO model_prices (model_id, input_nano_usd_per_mtok, output_nano_usd_per_mtok, effective_from)
      VALUES (${model}, 1000000000, 2000000000, now() - interval '1 minute')`;
  }
  await sql`INSERT INTO routes (id, model_id, provider_id, priority)
    VALUES ('route_openai', 'openai', 'openai', 0), ('route_anthropic', 'anthropic', 'anthropic', 0),
      ('route_both_a', 'both', 'openai', 0), ('route_both_b', 'both', 'spare', 1)`;
  const api = await startTestApi({ db: database.db, runtime: 'node', encryptionKey, attempts: 2 });
  return {
    api,
    provider,
    spare,
    secret,
    sql,
    database,
    /** @returns the sealed credential of a provider with another API key */
    seal,
    close: async () => {
      await api.close();
      await provider.close();
      await spare.close();
      await database[Symbol.asyncDispose]();
    },
  };
}
