import { existsSync } from 'node:fs';
import path from 'node:path';
import { createSealer } from '@tollgate/auth/seal';
import type { Database } from '@tollgate/db/client';
import { listProviders } from '@tollgate/db/queries/providers';
import { openCredential } from '../commands/provider-credential.ts';
import type { CliEnv } from '../env.ts';
import { readEncryptionKey } from '../installation.ts';
import { counted } from '../output/format.ts';
import { fail, ok, warn, type Check } from './check.ts';

const NAME = 'ENCRYPTION_KEY';
const HOW_TO_MAKE = 'openssl rand -base64 32';

/** Looks at the key alone, without making one. */
export function checkEncryptionKey(env: CliEnv): Check {
  const isOwn = env.ENCRYPTION_KEY === undefined && env.DATABASE_URL === undefined;
  if (isOwn && !existsSync(path.join(env.DATA_DIR, 'secrets.json')))
    return warn(NAME, 'none yet', '`npm start` makes one and keeps it in DATA_DIR');
  try {
    createSealer(readEncryptionKey(env));
    return ok(NAME, isOwn ? `kept in ${path.join(env.DATA_DIR, 'secrets.json')}` : 'is 32 bytes in base64');
  } catch (error) {
    return fail(NAME, error instanceof Error ? error.message : String(error), `make one with ${HOW_TO_MAKE}`);
  }
}

/** Opens every stored credential: a key that is valid may still be the wrong one. */
export async function checkCredentials(env: CliEnv, db: Database): Promise<Check> {
  const stored = (await listProviders(db)).filter(
    ({ credentialSealed, headersSealed }) => credentialSealed !== null || headersSealed !== null,
  );
  const closed: string[] = [];
  for (const provider of stored) {
    try {
      openCredential(() => createSealer(readEncryptionKey(env)), provider);
    } catch {
      closed.push(provider.name);
    }
  }
  if (closed.length === 0) return ok('Credentials', `${counted(stored.length, 'stored credential')} opened`);
  return fail(
    'Credentials',
    `do not open with this key: ${closed.join(', ')}`,
    'set the ENCRYPTION_KEY they were stored with, or remove and add these providers',
  );
}
