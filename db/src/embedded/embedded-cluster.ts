import { randomUUID } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runAs } from './embedded-programs.ts';
import type { SystemUser } from './embedded-user.ts';
import { explainPostgres } from '../explain/explain-postgres.ts';
import { StartFailure } from '../start-failure.ts';

export interface NewCluster {
  initdb: string;
  /** The directory of the cluster; it must not exist. */
  cluster: string;
  superuser: string;
  password: string;
  user: SystemUser | null;
}

/**
 * Creates a cluster next to its final place and moves it there at the end: an interrupted start leaves no partial
 * cluster, and of several processes that start concurrently the first to finish wins.
 * @throws StartFailure
 */
export async function createCluster({
  initdb,
  cluster,
  superuser,
  password,
  user,
}: NewCluster): Promise<void> {
  const making = `${cluster}.making.${randomUUID()}`;
  const passwordFile = `${making}.password`;
  mkdirSync(making, { mode: 0o700 });
  try {
    writeFileSync(passwordFile, password, { mode: 0o600 });
    if (user !== null) {
      chownSync(making, user.uid, user.gid);
      chownSync(passwordFile, user.uid, user.gid);
    }
    const access = ['-U', superuser, '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
    const form = ['--encoding=UTF8', '--no-locale', '--no-sync'];
    const { exitCode, output } = await runAs(user, initdb, ['-D', making, ...access, ...form]);
    if (exitCode !== 0) throw explainPostgres(output, path.dirname(cluster)) ?? unknownCause(cluster, output);
    renameSync(making, cluster);
  } catch (error) {
    if (!existsSync(path.join(cluster, 'PG_VERSION'))) throw error;
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(making, { recursive: true, force: true });
  }
}

function unknownCause(cluster: string, output: string): StartFailure {
  const reason =
    output.split('\n').find((line) => line.includes('error')) ?? output.trim().split('\n').at(-1);
  return new StartFailure(
    `The embedded database could not be created in ${cluster}: ${reason ?? 'initdb printed nothing'}`,
    'Set DATA_DIR to a folder on a local disk, or set DATABASE_URL to a PostgreSQL server.',
  );
}
