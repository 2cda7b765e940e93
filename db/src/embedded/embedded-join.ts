import { randomUUID } from 'node:crypto';
import { chmodSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { takeLease, type Lease } from './embedded-lease.ts';
import { StartFailure } from '../start-failure.ts';

const RECOVERY_TIMEOUT_MS = 120_000;
const POLL_MS = 50;

/** A server in use, and the connection that shows it to others for as long as this process uses it. */
export interface Running {
  url: string;
  lease: Lease;
}

/** `copy`: postmaster.pid names a server that runs on another folder, from which this one was copied. */
export type FoundServer =
  | { state: 'running'; server: Running }
  | { state: 'none' }
  | { state: 'copy'; of: string };

/**
 * Finds the server that runs on a cluster. Its pid file names a port; to verify that the server there runs on this
 * folder, it must read a file that was written here. The pid file of a copied folder names the original's server.
 */
export async function findRunning(cluster: string, urlFor: (port: number) => string): Promise<FoundServer> {
  const deadlineMs = Date.now() + RECOVERY_TIMEOUT_MS;
  for (;;) {
    const pidFile = readPidFile(cluster);
    if (pidFile === null) return { state: 'none' };
    const lease = await tryLease(urlFor(pidFile.port));
    if (lease === 'starting' && Date.now() < deadlineMs) {
      await sleep(POLL_MS);
      continue;
    }
    if (lease === 'refused' && isOwn(pidFile, cluster)) throw otherSecrets(cluster);
    if (lease === 'starting' || lease === 'refused' || lease === null)
      return isOther(pidFile, cluster) ? { state: 'copy', of: pidFile.cluster } : { state: 'none' };
    try {
      if (await runsOn(lease.lease.sql, cluster)) return { state: 'running', server: lease };
    } catch (error) {
      await lease.lease.sql.end();
      throw error;
    }
    await lease.lease.sql.end();
    return { state: 'copy', of: pidFile.cluster };
  }
}

/** Removes the pid file that came with a copy, unless a server has been started on this folder meanwhile. */
export function removeCopiedPidFile(cluster: string): void {
  const aside = path.join(cluster, `postmaster.pid.${randomUUID()}`);
  renameSync(path.join(cluster, 'postmaster.pid'), aside);
  const written = parsePidFile(readFileSync(aside, 'utf8'));
  if (written !== null && isSameFolder(written.cluster, cluster))
    renameSync(aside, path.join(cluster, 'postmaster.pid'));
  else rmSync(aside);
}

interface PidFile {
  pid: number;
  /** The folder of the server that wrote it. */
  cluster: string;
  port: number;
}

/** https://www.postgresql.org/docs/current/storage-file-layout.html: pid, folder, start time, port, … a line each. */
function parsePidFile(text: string): PidFile | null {
  const [pid = '', cluster = '', , port = ''] = text.split('\n');
  const parsed = { pid: Number(pid), cluster, port: Number(port) };
  return Number.isInteger(parsed.port) && parsed.port > 0 ? parsed : null;
}

function readPidFile(cluster: string): PidFile | null {
  try {
    return parsePidFile(readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** @returns null when no server answers there; `starting` while it recovers or shuts down; `refused`: the password */
async function tryLease(url: string): Promise<Running | 'starting' | 'refused' | null> {
  try {
    return { url, lease: await takeLease(url) };
  } catch (error) {
    if (isWrongPassword(error)) return 'refused';
    const isStarting = error instanceof postgres.PostgresError && error.code === '57P03';
    return isStarting ? 'starting' : null;
  }
}

async function runsOn(lease: postgres.Sql, cluster: string): Promise<boolean> {
  const name = `tollgate-identity.${randomUUID()}`;
  const nonce = randomUUID();
  const file = path.join(cluster, name);
  writeFileSync(file, nonce, { mode: 0o644 });
  try {
    // Whatever the umask: the server runs as another user when this is root. The folder keeps others out.
    chmodSync(file, 0o644);
    // A relative path is one of the folder that the server runs on.
    const [row] = await lease<{ text: string | null }[]>`SELECT pg_read_file(${name}, true) AS text`;
    return row?.text === nonce;
  } finally {
    rmSync(file, { force: true });
  }
}

export function isWrongPassword(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === '28P01';
}

export function otherSecrets(cluster: string): StartFailure {
  return new StartFailure(
    `The database in ${cluster} refuses the password in secrets.json: the file belongs to another installation`,
    'Restore the secrets.json that this database was created with. If it is lost, delete the wrong one and run `tollgate secrets replace --accept-loss`.',
  );
}

/** True when the process of a pid file is a server on this folder, as far as can be seen. */
function isOwn(pidFile: PidFile, cluster: string): boolean {
  if (!isSameFolder(pidFile.cluster, cluster)) return false;
  return process.platform !== 'linux' || isSameFolder(`/proc/${pidFile.pid}/cwd`, cluster);
}

/** True when it is sure that the process of a pid file is not a server on this folder. */
function isOther(pidFile: PidFile, cluster: string): boolean {
  if (isSameFolder(pidFile.cluster, cluster)) return false;
  // A server changes into its folder; only Linux shows where a process is.
  if (process.platform !== 'linux') return false;
  return !isSameFolder(`/proc/${pidFile.pid}/cwd`, cluster);
}

/** True when two paths lead to one folder. */
export function isSameFolder(a: string, b: string): boolean {
  try {
    const [first, second] = [statSync(a), statSync(b)];
    return first.ino === second.ino && first.dev === second.dev;
  } catch {
    return false;
  }
}
