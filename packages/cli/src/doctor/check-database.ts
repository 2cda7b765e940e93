import path from 'node:path';
import { openDatabase, type Database } from '@tollgate/db/client';
import { openEmbedded } from '@tollgate/db/embedded/embedded';
import { hasEmbeddedCluster } from '@tollgate/db/embedded/embedded-place';
import { readSchemaVersion, type SchemaState } from '@tollgate/db/migrate';
import { listDurabilityOff, readServerVersion } from '@tollgate/db/queries/system/server-checks';
import { StartFailure } from '@tollgate/db/start-failure';
import type { CliEnv } from '../env.ts';
import { fail, ok, warn, type Check } from './check.ts';

/**
 * Checks the database and, if its schema matches this release, runs `more`.
 * A stopped embedded database runs only during the check; a missing one is not created.
 */
export async function checkDatabase(env: CliEnv, more: (db: Database) => Promise<Check[]>): Promise<Check[]> {
  if (env.DATABASE_URL !== undefined) {
    const fix = 'check DATABASE_URL and that the server is running';
    return look(env.DATABASE_URL, 'DATABASE_URL', more).catch((error: unknown) => [broken(error, fix)]);
  }
  if (!hasEmbeddedCluster(env.DATA_DIR))
    return [
      warn('Database', `none in ${env.DATA_DIR} yet`, 'create it with `npm start`, or set DATABASE_URL'),
    ];
  try {
    const embedded = await openEmbedded(env.DATA_DIR);
    try {
      const state = embedded.started ? 'not running' : 'running';
      return await look(embedded.url, `embedded in ${env.DATA_DIR}, ${state}`, more);
    } finally {
      await embedded.stop();
    }
  } catch (error) {
    return [broken(error, `see ${path.join(env.DATA_DIR, 'postgres', 'server.log')}`)];
  }
}

async function look(url: string, where: string, more: (db: Database) => Promise<Check[]>): Promise<Check[]> {
  const db = openDatabase(url, { maxConnections: 1, applicationName: 'tollgate doctor' });
  try {
    const reached = ok('Database', `PostgreSQL ${await readServerVersion(db)} (${where})`);
    const durability = checkDurability(await listDurabilityOff(db));
    const schema = checkSchema(await readSchemaVersion(url));
    const found = [reached, durability, schema];
    return schema.status === 'ok' ? [...found, ...(await more(db))] : found;
  } finally {
    await db.close();
  }
}

function checkDurability(off: readonly string[]): Check {
  if (off.length === 0) return ok('Durability', 'committed data survives a crash');
  const detail = `${off.join(', ')} off; a server crash can lose payments and usage`;
  return warn('Durability', detail, 'turn them on in the PostgreSQL configuration');
}

function checkSchema({ current, newest, isReleased, functions }: SchemaState): Check {
  if (current < newest) return fail('Schema', `version ${current} of ${newest}`, 'run `tollgate migrate`');
  if (current > newest)
    return fail(
      'Schema',
      `version ${current}, newer than the supported version ${newest}`,
      'use a newer release',
    );
  if (!isReleased)
    return fail(
      'Schema',
      `version ${current}, never compared with the released migrations`,
      'run `tollgate migrate`',
    );
  if (functions === 'newer')
    return fail('Schema', 'the SQL functions are those of a newer release', 'use a newer release');
  if (functions === 'outdated')
    return fail('Schema', 'the SQL functions are not those of this release', 'run `tollgate migrate`');
  return ok('Schema', `version ${current}`);
}

function broken(error: unknown, fix: string): Check {
  if (error instanceof StartFailure) return fail('Database', error.what, error.fix);
  const reason = error instanceof Error ? error.message || error.name : String(error);
  return fail('Database', reason, fix);
}
