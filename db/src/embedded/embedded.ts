import { existsSync, realpathSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCluster } from './embedded-cluster.ts';
import {
  findRunning,
  isWrongPassword,
  otherSecrets,
  removeCopiedPidFile,
  type Running,
} from './embedded-join.ts';
import { DATABASE_NAME, giveBack, takeLease } from './embedded-lease.ts';
import { findLastPort } from './embedded-port.ts';
import { findEmbeddedPlace, SYSTEM_FOLDER, type EmbeddedPlace } from './embedded-place.ts';
import { findRunnable, loadBinaries, runAs, type PostgresBinaries } from './embedded-programs.ts';
import { readEmbeddedSecrets } from './embedded-secrets.ts';
import { explainFileError } from '../explain/explain-file-error.ts';
import { explainPostgres } from '../explain/explain-postgres.ts';
import { readLogFrom, rotateLog } from '../server-log.ts';
import { StartFailure } from '../start-failure.ts';

const START_TIMEOUT_SECONDS = 60;
const WINNER_TIMEOUT_MS = 15_000;
/** How long processes of a killed server may still use its memory. */
const LEFTOVERS_MS = 10_000;
const WINNER_POLL_MS = 50;
const PORT_ATTEMPTS = 3;
export const SUPERUSER = 'tollgate';

export interface EmbeddedDatabase {
  url: string;
  /** True when this process started the server; false when it joined one that was running. */
  started: boolean;
  /** Path of the server's log. */
  logPath: string;
  /** Settles when the server ended or closed the connection of this process, also after `stop`. */
  ended: Promise<void>;
  /**
   * Stops the server, whichever process started it, unless another process is still connected.
   * `evenIfUsed` is for a process that has the server for itself: every connection is closed.
   */
  stop(options?: { evenIfUsed?: boolean }): Promise<void>;
  /** Ends the connection of this process and leaves the server as it is. */
  leave(): Promise<void>;
}

export interface EmbeddedOptions {
  /** Settings on top of the defaults, e.g. `{ fsync: 'off' }` for tests. */
  settings?: Record<string, string>;
  /** Receives what takes time, a line at a time. */
  onProgress?: (line: string) => void;
  /** Receives what the operator should know, a line at a time. */
  onWarning?: (line: string) => void;
  /** The only port that a server may be started on; default: the port of the last start if it is free, else any. */
  port?: number;
  /** Folder for clusters and programs that the server's user cannot reach; default: /var/lib/tollgate. */
  systemFolder?: string;
}

/**
 * Starts the embedded PostgreSQL of a data directory, or joins the server that already runs on it.
 * The server is a separate daemon, so a Ctrl-C in the terminal never reaches it before its clients have drained.
 * @throws StartFailure
 */
export async function openEmbedded(
  dataDir: string,
  options: EmbeddedOptions = {},
): Promise<EmbeddedDatabase> {
  const { databasePassword } = readEmbeddedSecrets(dataDir);
  const folder = realpathSync(dataDir);
  try {
    const place = await findEmbeddedPlace(folder, options.systemFolder);
    return await open(place, databasePassword, options);
  } catch (error) {
    throw explainFileError(error, folder);
  }
}

async function open(
  place: EmbeddedPlace,
  password: string,
  options: EmbeddedOptions,
): Promise<EmbeddedDatabase> {
  const { cluster, user } = place;
  const urlFor = (port: number) => `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${DATABASE_NAME}`;
  const systemFolder = options.systemFolder ?? SYSTEM_FOLDER;
  const found = await findRunning(cluster, urlFor);
  let programs: Promise<PostgresBinaries> | null = null;
  // A command that joins a server for a moment may never need them.
  const loadPrograms = () =>
    (programs ??= loadBinaries().then((each) => findRunnable(each, user, systemFolder)));
  const lend = ({ url, lease }: Running, started: boolean): EmbeddedDatabase => ({
    url,
    started,
    logPath: serverLog(cluster),
    ended: lease.ended,
    leave: () => lease.sql.end(),
    stop: async ({ evenIfUsed = false } = {}) => {
      if (evenIfUsed) await lease.sql.end();
      else if (await giveBack(lease)) return;
      const { pg_ctl } = await loadPrograms();
      await runAs(user, pg_ctl, ['stop', '-w', '-m', 'fast', '-D', cluster]);
    },
  });
  if (found.state === 'running') return lend(found.server, false);
  if (found.state === 'copy') {
    removeCopiedPidFile(cluster);
    options.onWarning?.(
      `${cluster} was copied from ${found.of} while its server was running. This copy gets a separate server. Unless the copy is a snapshot of the disk it can be damaged: stop the server before you copy.`,
    );
  }
  const binaries = await loadPrograms();
  if (!existsSync(path.join(cluster, 'PG_VERSION'))) {
    options.onProgress?.('Creating the embedded database');
    const { initdb } = binaries;
    await createCluster({ initdb, cluster, superuser: SUPERUSER, password, user });
  }
  return start(place, {
    binaries,
    urlFor,
    lend,
    settings: options.settings ?? {},
    port: options.port ?? null,
  });
}

interface StartContext {
  binaries: PostgresBinaries;
  urlFor: (port: number) => string;
  lend: (server: Running, started: boolean) => EmbeddedDatabase;
  settings: Record<string, string>;
  /** null: any. */
  port: number | null;
}

async function start({ cluster, user }: EmbeddedPlace, context: StartContext): Promise<EmbeddedDatabase> {
  const { binaries, urlFor, lend } = context;
  const log = serverLog(cluster);
  const wait = ['-w', '-t', String(START_TIMEOUT_SECONDS)];
  const leftoversUntilMs = Date.now() + LEFTOVERS_MS;
  for (let attempt = 1; ; attempt += 1) {
    const last = attempt === 1 ? await findLastPort(cluster) : null;
    const port = context.port ?? last ?? (await findFreePort());
    const settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '200',
      ...context.settings,
    };
    const flags = [`-p ${port}`, ...Object.entries(settings).map(([name, value]) => `-c ${name}='${value}'`)];
    const logged = rotateLog(log);
    const args = ['start', ...wait, '-D', cluster, '-l', log, '-o', flags.join(' ')];
    const { exitCode, output } = await runAs(user, binaries.pg_ctl, args);
    if (exitCode === 0) {
      const url = urlFor(port);
      try {
        return lend({ url, lease: await takeLease(url) }, true);
      } catch (error) {
        await runAs(user, binaries.pg_ctl, ['stop', '-w', '-m', 'fast', '-D', cluster]);
        throw isWrongPassword(error) ? otherSecrets(cluster) : error;
      }
    }
    const said = readLogFrom(log, logged) + output;
    // Another program took the port between the look and the start.
    if (/could not bind|Address already in use/.test(said) && attempt < PORT_ATTEMPTS) continue;
    // The processes of a server that was killed take a moment to end.
    const hasLeftovers = /pre-existing shared memory block|lock file "postmaster\.pid" already exists/.test(
      said,
    );
    if (hasLeftovers && Date.now() < leftoversUntilMs) {
      const found = await findRunning(cluster, urlFor);
      if (found.state === 'running') return lend(found.server, false);
      await sleep(WINNER_POLL_MS);
      attempt -= 1;
      continue;
    }
    // Another process may have won the race to start the same cluster, and be about to have it ready.
    const winner = /already exists|another server might be running/.test(said)
      ? await waitForRunning(cluster, urlFor)
      : null;
    if (winner !== null) return lend(winner, false);
    throw explainPostgres(said, cluster) ?? unknownCause(said, log);
  }
}

function unknownCause(said: string, log: string): StartFailure {
  const reason = said.split('\n').findLast((line) => /FATAL|PANIC|ERROR|error/.test(line));
  return new StartFailure(
    `The embedded database did not start${reason === undefined ? '' : `: ${reason.replace(/^.*?(FATAL|PANIC|ERROR): +/, '')}`}`,
    `Read ${log}, remove the cause and start again.`,
  );
}

async function waitForRunning(cluster: string, urlFor: (port: number) => string): Promise<Running | null> {
  const deadline = Date.now() + WINNER_TIMEOUT_MS;
  for (;;) {
    const found = await findRunning(cluster, urlFor);
    if (found.state === 'running') return found.server;
    if (found.state === 'copy' || Date.now() > deadline) return null;
    await sleep(WINNER_POLL_MS);
  }
}

function serverLog(cluster: string): string {
  return path.join(cluster, 'server.log');
}

/** A TCP port of 127.0.0.1 that no program listens on at the moment. */
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
