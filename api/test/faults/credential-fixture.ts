import { randomBytes } from 'node:crypto';
import { createSealer } from '@tollgate/auth/seal';
import type { Dialect } from '@tollgate/core/models/dialect';
import { createTestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { createFakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import { credentialContext } from '@tollgate/upstreams/credential/credential';
import { startTestApi } from '../../src/testing/start-test-api.ts';

/**
 * An api with a provider of each dialect, a model and a route of the same name, whose stored credential is `apiKey`. All
 * call one fake provider, once per request.
 */
export async function startWithCredential(apiKey: string, dialects: readonly Dialect[]) {
  const database = await createTestDatabase();
  const { sql } = database.db;
  const encryptionKey = randomBytes(32).toString('base64');
  const provider = await createFakeProvider();
  const { accountId } = await createAccountFixture(database.db);
  const { secret } = await createKeyFixture(database.db, accountId, {});
  for (const dialect of dialects) {
    const credential = JSON.stringify({ kind: 'api-key', apiKey, headers: {} });
    const sealed = createSealer(encryptionKey)?.seal(credential, credentialContext(dialect)) ?? null;
    await sql`INSERT INTO providers (id, name, dialect, base_url, credential_sealed)
      VALUES (${dialect}, ${dialect}, ${dialect}, ${`${provider.origin}/v1`}, ${sealed})`;
    await sql`INSERT INTO models (id) VALUES (${dialect})`;
    await sql`INSERT INTO model_prices (model_id, input_nano_usd_per_mtok, output_nano_usd_per_mtok, effective_from)
      VALUES (${dialect}, 1000000000, 2000000000, now() - interval '1 minute')`;
    await sql`INSERT INTO routes (id, model_id, provider_id) VALUES (${dialect}, ${dialect}, ${dialect})`;
  }
  const api = await startTestApi({ db: database.db, runtime: 'node', encryptionKey, attempts: 1 });
  return {
    api,
    database,
    provider,
    secret,
    close: async () => {
      await api.close();
      await provider.close();
      await database[Symbol.asyncDispose]();
    },
  };
}
