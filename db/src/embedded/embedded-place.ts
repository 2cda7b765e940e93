import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { canEnter } from './embedded-programs.ts';
import { findPostgresUser, findUser, type SystemUser } from './embedded-user.ts';
import { StartFailure } from '../start-failure.ts';

/** Holds clusters and programs that the system user of PostgreSQL cannot reach where they are. */
export const SYSTEM_FOLDER = '/var/lib/tollgate';

/** The cluster's folder of a data directory, and the system user of its server. */
export interface EmbeddedPlace {
  cluster: string;
  /** null: the current user. */
  user: SystemUser | null;
}

/** Contents of `DATA_DIR/postgres.json`, which exists when the cluster is not in `DATA_DIR/postgres`. */
interface Pointer {
  cluster: string;
  /** The data directory that the cluster belongs to: a copy of the pointer names the original. */
  dataDir: string;
}

/** True when a data directory has a database, wherever its cluster is. */
export function hasEmbeddedCluster(dataDir: string): boolean {
  return existsSync(path.join(dataDir, 'postgres', 'PG_VERSION')) || existsSync(pointerPath(dataDir));
}

/**
 * Finds the cluster of a data directory, or the place for a new one. PostgreSQL refuses to run as root; the user that
 * root runs it as may not be able to enter the data directory (a checkout in /root), so the cluster then goes to
 * the system folder and the data directory records its path.
 * @throws StartFailure when the data directory is a copy whose cluster belongs to the original, or cannot be entered
 */
export async function findEmbeddedPlace(
  dataDir: string,
  systemFolder = SYSTEM_FOLDER,
): Promise<EmbeddedPlace> {
  const own = path.join(dataDir, 'postgres');
  const isMade = existsSync(path.join(own, 'PG_VERSION'));
  const pointer = isMade ? null : readPointer(dataDir);
  const cluster = pointer === null ? own : pointer.cluster;
  if (existsSync(path.join(cluster, 'PG_VERSION'))) {
    const user = findOwner(cluster);
    if (user !== null && !(await canEnter(user, cluster)))
      throw new StartFailure(
        `The database in ${cluster} runs as user ${user.name}, who cannot enter that folder`,
        `Move the data to a folder that every user may enter and set DATA_DIR to it, for example /srv/tollgate.`,
      );
    return { cluster, user };
  }
  const user = findPostgresUser();
  if (pointer !== null) return { cluster, user };
  if (user === null || (await canEnter(user, dataDir))) return { cluster: own, user };
  return { cluster: createPointer(dataDir, systemFolder).cluster, user };
}

/** The owner of a cluster, when root must run the server as that user; null when the current user is the owner. */
function findOwner(cluster: string): SystemUser | null {
  const { uid, gid } = statSync(cluster);
  const current = process.getuid?.();
  if (current === undefined || uid === current) {
    if (current !== 0) return null;
    throw new StartFailure(
      `The database in ${cluster} belongs to root, and PostgreSQL does not run as root`,
      `Give it back to the user that ran it: chown -R postgres ${cluster}`,
    );
  }
  if (current === 0) return findUser(uid, gid);
  throw new StartFailure(
    `The database in ${cluster} belongs to another user (uid ${uid})`,
    `Start as that user, or give the folder to this one: chown -R ${current} ${path.dirname(cluster)}`,
  );
}

function pointerPath(dataDir: string): string {
  return path.join(dataDir, 'postgres.json');
}

function readPointer(dataDir: string): Pointer | null {
  if (!existsSync(pointerPath(dataDir))) return null;
  const pointer = parsePointer(dataDir);
  if (!existsSync(path.join(pointer.cluster, 'PG_VERSION')) && !existsSync(path.dirname(pointer.cluster)))
    throw new StartFailure(
      `The database of ${dataDir} is missing: it was in ${pointer.cluster}`,
      `Restore that folder from a backup. To start with a new database, delete ${pointerPath(dataDir)} and secrets.json next to it.`,
    );
  if (isSame(pointer.dataDir, dataDir)) return pointer;
  // The folder was moved or copied. It was copied when the original still claims the same cluster.
  if (existsSync(pointerPath(pointer.dataDir)) && parsePointer(pointer.dataDir).cluster === pointer.cluster)
    throw new StartFailure(
      `${dataDir} is a copy of ${pointer.dataDir}, whose database in ${pointer.cluster} it must not share`,
      `Stop the original, copy ${pointer.cluster} to ${path.join(dataDir, 'postgres')} (cp -a) and delete ${pointerPath(dataDir)}; or set DATA_DIR to the original.`,
    );
  const moved = { ...pointer, dataDir: realpathSync(dataDir) };
  const draft = writeDraft(dataDir, moved);
  renameSync(draft, pointerPath(dataDir));
  return moved;
}

function createPointer(dataDir: string, systemFolder: string): Pointer {
  const folder = path.join(
    systemFolder,
    `${path.basename(path.dirname(dataDir))}-${randomUUID().slice(0, 8)}`,
  );
  mkdirSync(folder, { recursive: true });
  // Whatever the umask of root.
  for (const each of [systemFolder, folder]) chmodSync(each, 0o755);
  const draft = writeDraft(dataDir, {
    cluster: path.join(folder, 'postgres'),
    dataDir: realpathSync(dataDir),
  });
  try {
    linkSync(draft, pointerPath(dataDir));
  } catch (error) {
    // Another process that started at the same time recorded its place first.
    rmSync(folder, { recursive: true, force: true });
    if (!existsSync(pointerPath(dataDir))) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return parsePointer(dataDir);
}

function writeDraft(dataDir: string, pointer: Pointer): string {
  const draft = `${pointerPath(dataDir)}.${randomUUID()}`;
  writeFileSync(draft, `${JSON.stringify(pointer, null, 2)}\n`, { mode: 0o600 });
  return draft;
}

function parsePointer(dataDir: string): Pointer {
  const file = pointerPath(dataDir);
  try {
    const parsed: Partial<Pointer> | null = JSON.parse(readFileSync(file, 'utf8'));
    const { cluster, dataDir: owner } = parsed ?? {};
    if (typeof cluster === 'string' && typeof owner === 'string') return { cluster, dataDir: owner };
  } catch {
    // Reported below.
  }
  throw new StartFailure(
    `${file} is damaged: it says where the database is`,
    `Restore it from a backup, or write {"cluster": "${SYSTEM_FOLDER}/…/postgres", "dataDir": "${dataDir}"} into it.`,
  );
}

/** True when two paths lead to one folder: by a link, or mounted twice. */
function isSame(a: string, b: string): boolean {
  try {
    const [first, second] = [statSync(a), statSync(b)];
    return first.ino === second.ino && first.dev === second.dev;
  } catch {
    return false;
  }
}
