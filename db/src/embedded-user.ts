import { execFileSync } from 'node:child_process';

/** Whom the embedded server runs as. */
export interface SystemUser {
  name: string;
  uid: number;
  gid: number;
}

const USER_NAME = 'postgres';

/**
 * PostgreSQL refuses to run as root, so root hands it to the system user `postgres`, made here where it is missing.
 * @returns null where the current user is not root: then the server runs as the current user
 */
export function findPostgresUser(): SystemUser | null {
  if (process.getuid?.() !== 0) return null;
  try {
    return readUser();
  } catch {
    try {
      execFileSync('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', USER_NAME], {
        stdio: 'ignore',
      });
      return readUser();
    } catch (error) {
      throw new Error(
        `PostgreSQL does not run as root and the user "${USER_NAME}" could not be made: start as another user, or set DATABASE_URL`,
        { cause: error },
      );
    }
  }
}

function readUser(): SystemUser {
  const read = (flag: string) =>
    Number(execFileSync('id', [flag, USER_NAME], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  return { name: USER_NAME, uid: read('-u'), gid: read('-g') };
}
