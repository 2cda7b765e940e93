import { lockDirectory, type DirectoryLock } from '@tollgate/db/directory-lock';

const ADVICE =
  'Stop that one first, or set DATA_DIR (and API_PORT and CONSOLE_PORT) to others. Nothing was started or changed.';
/** The system user of PostgreSQL must be able to enter it; what is secret in it has modes of its own. */
const MODE = 0o777;

/**
 * Makes this process the only one that runs the services on a data directory.
 * @throws DirectoryInUseError; StartFailure
 */
export function lockDataDir(dataDir: string): DirectoryLock {
  return lockDirectory(dataDir, ADVICE, { mode: MODE });
}
