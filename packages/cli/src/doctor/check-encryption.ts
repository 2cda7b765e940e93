import { existsSync } from 'node:fs';
import path from 'node:path';
import { isKeyOfDatabase } from '@tollgate/auth/encryption-key';
import { createSealer } from '@tollgate/auth/seal';
import type { Database } from '@tollgate/db/client';
import { hasEmbeddedCluster } from '@tollgate/db/embedded/embedded-place';
import { withKeyCheck, wrongEncryptionKey } from '@tollgate/db/queries/keys/key-check';
import { listCredentials } from '@tollgate/db/queries/providers/provider-credentials';
import { listProviders } from '@tollgate/db/queries/providers/providers';
import { StartFailure } from '@tollgate/db/start-failure';
import { openCredential, openProviderConnections } from '../commands/provider/credential.ts';
import type { CliEnv } from '../env.ts';
import { keySource, readEncryptionKey } from '../installation.ts';
import { counted } from '../output/format.ts';
import { fail, ok, warn, type Check } from './check.ts';

const NAME = 'ENCRYPTION_KEY';
const GENERATE_COMMAND = 'openssl rand -base64 32';

/** Checks the key without creating one. */
export function checkEncryptionKey(env: CliEnv): Check {
  const isOwn = env.ENCRYPTION_KEY === undefined && env.DATABASE_URL === undefined;
  if (isOwn && !existsSync(path.join(env.DATA_DIR, 'secrets.json')) && !hasEmbeddedCluster(env.DATA_DIR))
    return warn(NAME, 'none yet', '`npm start` creates one in DATA_DIR');
  try {
    createSealer(readEncryptionKey(env));
    return ok(NAME, isOwn ? `stored in ${path.join(env.DATA_DIR, 'secrets.json')}` : 'is 32 bytes in base64');
  } catch (error) {
    if (error instanceof StartFailure) return fail(NAME, error.what, error.fix);
    return fail(
      NAME,
      error instanceof Error ? error.message : String(error),
      `generate one with \`${GENERATE_COMMAND}\``,
    );
  }
}

/** Compares the key with the key check that the services stored. */
export async function checkKeyOfDatabase(env: CliEnv, db: Database): Promise<Check[]> {
  const key = readEncryptionKey(env);
  const isRight = await withKeyCheck(db.url, (check) => isKeyOfDatabase(key, check, { mayStore: false }));
  if (isRight) return [];
  const { what, fix } = wrongEncryptionKey(keySource(env));
  return [fail('Database key', what, fix)];
}

/** Decrypts every stored credential: a valid key may still be the wrong one. */
export async function checkCredentials(env: CliEnv, db: Database): Promise<Check> {
  const providers = await listProviders(db);
  const stored = providers.filter(
    ({ credentialSealed, headersSealed, proxySealed }) =>
      credentialSealed !== null || headersSealed !== null || proxySealed !== null,
  );
  const further = (await listCredentials(db)).filter((each) => each.credentialSealed !== null);
  const closed: string[] = [];
  for (const provider of stored) {
    try {
      const sealer = () => createSealer(readEncryptionKey(env));
      const credential = openCredential(sealer, provider);
      const { baseUrl } = provider;
      if (baseUrl !== null)
        openProviderConnections(sealer, { ...provider, baseUrl }, { credential, proxies: env.proxies });
    } catch {
      closed.push(provider.name);
    }
  }
  for (const { providerId, label, credentialSealed } of further) {
    const provider = providers.find(({ id }) => id === providerId);
    if (provider === undefined) continue;
    try {
      const sealer = () => createSealer(readEncryptionKey(env));
      openCredential(sealer, { ...provider, credentialSealed, credentialEnv: null });
    } catch {
      closed.push(`${provider.name} (${label})`);
    }
  }
  if (closed.length === 0)
    return ok('Credentials', `${counted(stored.length + further.length, 'stored credential')} decrypted`);
  return fail(
    'Credentials',
    `cannot be decrypted with this key: ${closed.join(', ')}`,
    'set the ENCRYPTION_KEY they were stored with, or add these providers again',
  );
}
