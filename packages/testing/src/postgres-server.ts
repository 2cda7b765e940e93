import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@tollgate/db/embedded/embedded';
import { createCluster } from '@tollgate/db/embedded/embedded-cluster';
import { loadBinaries } from '@tollgate/db/embedded/embedded-programs';
import { findPostgresUser } from '@tollgate/db/embedded/embedded-user';
import { migrate } from '@tollgate/db/migrate';
import postgres from 'postgres';

const SUPERUSER = 'tollgate';
const START_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 50;
const NAME = 'ledger';

/** A separate PostgreSQL with production durability that tests can kill. */
export interface PostgresServer extends AsyncDisposable {
  /** URL of a migrated database; restarts keep the port. */
  url: string;
  /** Sends SIGKILL to the server, whose processes then end: nothing is flushed, clients get no message. */
  kill(): Promise<void>;
  /** Restarts it on the same data directory and waits for connections. @returns the duration in ms */
  start(): Promise<number>;
}

/** Creates a cluster of the embedded binaries in a temporary directory and starts it. @throws Error with its output */
export async function startPostgres(settings: Record<string, string> = {}): Promise<PostgresServer> {
  const binaries = await loadBinaries();
  const directory = mkdtempSync(path.join(tmpdir(), 'killed-postgres-'));
  // The server's system user needs access.
  chmodSync(directory, 0o755);
  const cluster = path.join(directory, 'cluster');
  const user = findPostgresUser();
  const password = randomBytes(12).toString('hex');
  await createCluster({ initdb: binaries.initdb, cluster, superuser: SUPERUSER, password, user });
  const port = await findFreePort();
  const flags = { ...DEFAULTS, port: String(port), ...settings };
  const program = path.join(path.dirname(binaries.pg_ctl), 'postgres');
  const launch = () =>
    spawn(
      program,
      ['-D', cluster, ...Object.entries(flags).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      {
        cwd: '/',
        stdio: ['ignore', 'pipe', 'pipe'],
        ...(user && { uid: user.uid, gid: user.gid }),
      },
    );
  const getUrl = (database: string) => `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
  const server = new KilledServer(launch, getUrl('postgres'));
  await server.start();
  await runOnce(getUrl('postgres'), `CREATE DATABASE ${NAME}`);
  await migrate(getUrl(NAME));
  return {
    url: getUrl(NAME),
    kill: () => server.kill(),
    start: () => server.start(),
    async [Symbol.asyncDispose]() {
      await server.kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const DEFAULTS = { listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: '200' };

class KilledServer {
  readonly #launch: () => ChildProcess;
  readonly #url: string;
  #process: ChildProcess | null = null;
  #output = '';

  constructor(launch: () => ChildProcess, url: string) {
    this.#launch = launch;
    this.#url = url;
  }

  async start(): Promise<number> {
    const startMs = performance.now();
    while (!(await this.#answers())) {
      // It cannot start while a process of the killed server holds the shared memory, so the start is repeated.
      if (!isRunning(this.#process)) this.#run();
      if (performance.now() - startMs > START_WITHIN_MS)
        throw new Error(`PostgreSQL did not start; it said:\n${this.#output}`);
      await sleep(LOOK_EVERY_MS);
    }
    return performance.now() - startMs;
  }

  /** Kills the server first, so that it cannot end the others in order; these end after it. */
  async kill(): Promise<void> {
    const server = this.#process;
    if (server === null || !isRunning(server)) return;
    const exited = once(server, 'exit');
    server.kill('SIGKILL');
    await exited;
    this.#process = null;
  }

  #run(): void {
    const server = this.#launch();
    this.#process = server;
    for (const stream of [server.stdout, server.stderr])
      stream?.on('data', (text: Buffer) => (this.#output = (this.#output + String(text)).slice(-10_000)));
  }

  async #answers(): Promise<boolean> {
    if (!isRunning(this.#process)) return false;
    try {
      await runOnce(this.#url, 'SELECT 1');
      return true;
    } catch {
      return false;
    }
  }
}

function isRunning(server: ChildProcess | null): boolean {
  return server !== null && server.exitCode === null && server.signalCode === null;
}

async function runOnce(url: string, statement: string): Promise<void> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => undefined });
  try {
    await sql.unsafe(statement);
  } finally {
    await sql.end({ timeout: 1 });
  }
}
