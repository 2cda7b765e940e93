import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { findEmbeddedPlace, SYSTEM_FOLDER } from './embedded-place.ts';
import { findRunnable, loadBinaries } from './embedded-programs.ts';
import { SUPERUSER } from './embedded.ts';
import { explainPostgres } from '../explain/explain-postgres.ts';
import { StartFailure } from '../start-failure.ts';

/**
 * Sets the password of the embedded server's superuser without the old one, in single-user mode
 * (https://www.postgresql.org/docs/current/app-postgres.html#APP-POSTGRES-SINGLE-USER).
 * @param password letters and digits
 * @throws StartFailure while the server runs
 */
export async function resetEmbeddedPassword(
  dataDir: string,
  password: string,
  systemFolder = SYSTEM_FOLDER,
): Promise<void> {
  const { cluster, user } = await findEmbeddedPlace(realpathSync(dataDir), systemFolder);
  const { postgres } = await findRunnable(await loadBinaries(), user, systemFolder);
  const child = spawn(postgres, ['--single', '-D', cluster, '-c', 'log_statement=none', 'postgres'], {
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(user && { uid: user.uid, gid: user.gid }),
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  // It may end before it reads.
  child.stdin.on('error', () => undefined);
  child.stdin.end(`ALTER ROLE ${SUPERUSER} PASSWORD '${password}'\n`);
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code === 0 && !/ERROR|FATAL/.test(err)) return;
  throw (
    explainPostgres(err + out, cluster) ??
    new StartFailure(
      `The password of the database in ${cluster} could not be set`,
      `PostgreSQL said: ${err.trim()}`,
    )
  );
}
