import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import postgres from 'postgres';
import { createCluster, loadBinaries, runAs } from './embedded-cluster.ts';
import { findPostgresUser } from './embedded-user.ts';

const START_TIMEOUT_SECONDS = 60;
const WINNER_TIMEOUT_MS = 15_000;
const WINNER_POLL_MS = 50;
const DATABASE_NAME = 'tollgate';
const SUPERUSER = 'tollgate';

export interface EmbeddedDatabase {
  url: string;
  /** True where this process started the server; false where it joined one that was running. */
  started: boolean;
  /**
   * Stops the server, whoever started it, unless somebody else is still connected: the last one out stops it.
   * `evenIfUsed` is for who has the server for themselves: all that is connected is cut off.
   */
  stop(options?: { evenIfUsed?: boolean }): Promise<void>;
}

export interface EmbeddedOptions {
  /** Settings on top of the defaults, e.g. `{ fsync: 'off' }` for tests. */
  settings?: Record<string, string>;
  /** Told what is going on, a line at a time. */
  onProgress?: (line: string) => void;
}

/** Secrets that embedded mode makes on its first start and keeps in `DATA_DIR/secrets.json` (mode 0600). */
export interface EmbeddedSecrets {
  databasePassword: string;
  /** 32 bytes, base64. */
  encryptionKey: string;
}

/**
 * Starts the embedded PostgreSQL of a data directory, or joins the one that is running there.
 * The server is a daemon of its own, so a Ctrl-C in the terminal never reaches it before its clients have drained.
 * @throws Error with one line that says what to do
 */
export async function openEmbedded(
  dataDir: string,
  options: EmbeddedOptions = {},
): Promise<EmbeddedDatabase> {
  const { databasePassword } = readEmbeddedSecrets(dataDir);
  const cluster = path.join(dataDir, 'postgres');
  const urlFor = (port: number) =>
    `postgres://${SUPERUSER}:${databasePassword}@127.0.0.1:${port}/${DATABASE_NAME}`;

  const running = await findRunning(cluster, urlFor);
  const binaries = await loadBinaries();
  const user = findPostgresUser();
  const lend = ({ url, lease }: Running, started: boolean): EmbeddedDatabase => ({
    url,
    started,
    stop: async ({ evenIfUsed = false } = {}) => {
      const isUsedByOthers = await giveBack(lease);
      if (isUsedByOthers && !evenIfUsed) return;
      await runAs(user, binaries.pg_ctl, ['stop', '-w', '-m', 'fast', '-D', cluster]);
    },
  });
  if (running !== null) return lend(running, false);
  if (!existsSync(path.join(cluster, 'PG_VERSION'))) {
    options.onProgress?.('Creating the embedded database');
    await createCluster({
      initdb: binaries.initdb,
      cluster,
      superuser: SUPERUSER,
      password: databasePassword,
      user,
    });
  }
  const port = await findFreePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    ...options.settings,
  };
  const flags = [`-p ${port}`, ...Object.entries(settings).map(([name, value]) => `-c ${name}='${value}'`)];
  const log = path.join(cluster, 'server.log');
  const wait = ['-w', '-t', String(START_TIMEOUT_SECONDS)];
  const exitCode = await runAs(user, binaries.pg_ctl, [
    'start',
    ...wait,
    '-D',
    cluster,
    '-l',
    log,
    '-o',
    flags.join(' '),
  ]);
  if (exitCode !== 0) {
    // Another process may have won the race to start the same cluster, and be about to have it ready.
    const winner = await waitForRunning(cluster, urlFor);
    if (winner !== null) return lend(winner, false);
    throw new Error(`The embedded database did not start; ${log} says why`);
  }
  return lend(await takeLease(urlFor(port)), true);
}

/** Reads the secrets of a data directory, making them first where there are none. */
export function readEmbeddedSecrets(dataDir: string): EmbeddedSecrets {
  const file = path.join(dataDir, 'secrets.json');
  mkdirSync(dataDir, { recursive: true });
  if (!existsSync(file)) {
    const secrets: EmbeddedSecrets = {
      databasePassword: randomBytes(24).toString('hex'),
      encryptionKey: randomBytes(32).toString('base64'),
    };
    // A link appears whole or not at all, and never over one that is there.
    const draft = `${file}.${randomUUID()}`;
    writeFileSync(draft, JSON.stringify(secrets, null, 2), { mode: 0o600 });
    try {
      linkSync(draft, file);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    } finally {
      rmSync(draft);
    }
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** A server in use, and the connection that shows it to others for as long as this process uses it. */
interface Running {
  url: string;
  lease: postgres.Sql;
}

/** Finds a server that is alive on a cluster: its pid file names the port, a query proves it. */
async function findRunning(cluster: string, urlFor: (port: number) => string): Promise<Running | null> {
  let port: number;
  try {
    port = Number(readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n')[3]);
  } catch {
    return null;
  }
  if (!Number.isInteger(port) || port <= 0) return null;
  try {
    return await takeLease(urlFor(port));
  } catch {
    return null;
  }
}

async function waitForRunning(cluster: string, urlFor: (port: number) => string): Promise<Running | null> {
  const deadline = Date.now() + WINNER_TIMEOUT_MS;
  for (;;) {
    const running = await findRunning(cluster, urlFor);
    if (running !== null || Date.now() > deadline) return running;
    await setTimeout(WINNER_POLL_MS);
  }
}

/** Connects, and makes the database where it is missing. */
async function takeLease(url: string): Promise<Running> {
  const lease = postgres(url, {
    database: 'postgres',
    max: 1,
    connect_timeout: 5,
    max_lifetime: null,
    onnotice: () => undefined,
    connection: { application_name: 'tollgate lease' },
  });
  try {
    const found = await lease`SELECT 1 FROM pg_database WHERE datname = ${DATABASE_NAME}`;
    if (found.length === 0) await lease.unsafe(`CREATE DATABASE ${DATABASE_NAME}`);
  } catch (error) {
    const isRace = error instanceof postgres.PostgresError && ['42P04', '23505'].includes(error.code);
    if (!isRace) {
      await lease.end();
      throw error;
    }
  }
  return { url, lease };
}

/** @returns true where another process still uses the server */
async function giveBack(lease: postgres.Sql): Promise<boolean> {
  try {
    const others = await lease`
      SELECT 1 FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() LIMIT 1`;
    return others.length > 0;
  } finally {
    await lease.end();
  }
}

/** A TCP port of 127.0.0.1 that nobody listens on at the moment. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('No free port'));
        else resolve(address.port);
      });
    });
  });
}
