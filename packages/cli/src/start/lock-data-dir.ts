import { lockDirectory, type DirectoryLock } from '@tollgate/db/directory-lock';

const ADVICE =
  'Stop it first, or change DATA_DIR, API_PORT and CONSOLE_PORT. Nothing was started or changed.';
/** PostgreSQL's system user must be able to enter the directory. Secret files have stricter modes. */
const MODE = 0o777;

/**
 * Locks a data directory, so that only this process runs services on it.
 * @throws DirectoryInUseError; StartFailure
 */
export function lockDataDir(dataDir: string): DirectoryLock {
  return lockDirectory(dataDir, ADVICE, { mode: MODE });
}
