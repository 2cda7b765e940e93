import { execFileSync } from 'node:child_process';
import { StartFailure } from '../start-failure.ts';

/** Whom the embedded server runs as. */
export interface SystemUser {
  name: string;
  uid: number;
  gid: number;
}

const USER_NAME = 'postgres';
/** Of Debian and Red Hat, then of Alpine and BusyBox. */
const ADD_USER = [
  ['useradd', '--system', '--no-create-home', '--shell', '/usr/sbin/nologin', USER_NAME],
  ['adduser', '-S', '-D', '-H', '-s', '/sbin/nologin', USER_NAME],
] as const;

/**
 * PostgreSQL refuses to run as root, so root runs it as the system user `postgres`, created when it is missing.
 * @returns null when the current user is not root: the server runs as the current user
 * @throws StartFailure when the user cannot be created
 */
export function findPostgresUser(): SystemUser | null {
  if (process.getuid?.() !== 0) return null;
  const found = readUser();
  if (found !== null) return found;
  for (const [command, ...args] of ADD_USER) {
    try {
      execFileSync(command, args, { stdio: 'ignore' });
      const created = readUser();
      if (created !== null) return created;
    } catch {
      // The next command may exist.
    }
  }
  throw new StartFailure(
    `PostgreSQL does not run as root, and the system user "${USER_NAME}" could not be created`,
    `Create that user, start as a user other than root, or set DATABASE_URL.`,
  );
}

/** The user with these ids, by name when it has one. */
export function findUser(uid: number, gid: number): SystemUser {
  try {
    const name = execFileSync('id', ['-un', String(uid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return { name: name.trim(), uid, gid };
  } catch {
    return { name: String(uid), uid, gid };
  }
}

function readUser(): SystemUser | null {
  const read = (flag: string) =>
    Number(execFileSync('id', [flag, USER_NAME], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    return { name: USER_NAME, uid: read('-u'), gid: read('-g') };
  } catch {
    return null;
  }
}
