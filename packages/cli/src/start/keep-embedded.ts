import { openEmbedded, type EmbeddedDatabase } from '@tollgate/db/embedded/embedded';
import { Failure } from '../failure.ts';
import { keepRunning, type RestartPolicy } from './keep-running.ts';
import type { Service } from './service.ts';

/** Allows about five minutes, enough to free space on a full disk. */
const POLICY: RestartPolicy = {
  firstDelayMs: 500,
  maxDelayMs: 15_000,
  maxRestarts: 20,
  withinMs: 600_000,
};

export interface KeptDatabase {
  url: string;
  service: Service;
  /** Path of the server's log. */
  logPath: string;
}

export interface KeepEmbeddedOptions {
  /** Fires when the installation stops: the server is not restarted after that. */
  stopping: AbortSignal;
  /** Receives progress messages. */
  onProgress: (line: string) => void;
  /** Receives warnings, and one line for each exit and recovery. */
  onWarning: (line: string) => void;
}

/**
 * Starts or joins the embedded database, and restarts it on the same port whenever it exits.
 * @throws StartFailure
 */
export async function keepEmbedded(dataDir: string, options: KeepEmbeddedOptions): Promise<KeptDatabase> {
  const { onProgress, onWarning } = options;
  const first = await openEmbedded(dataDir, { onProgress, onWarning });
  const { url, logPath } = first;
  let next: Promise<EmbeddedDatabase> | null = Promise.resolve(first);
  const start = () => {
    const opening = next ?? reopen(dataDir, url);
    next = null;
    return getService(opening);
  };
  const service = keepRunning(start, { stopping: options.stopping, say: onWarning, logPath, policy: POLICY });
  await service.ready();
  return { url, service, logPath };
}

/** Requires the same port, because clients have the address. */
async function reopen(dataDir: string, url: string): Promise<EmbeddedDatabase> {
  const { port } = new URL(url);
  const database = await openEmbedded(dataDir, { port: Number(port) });
  if (database.url === url) return database;
  await database.stop();
  throw new Failure('database_moved', `another process started it on a port other than ${port}`);
}

function getService(opening: Promise<EmbeddedDatabase>): Service {
  const stopping = Promise.withResolvers<'stopped'>();
  let isRunning = true;
  const run = async (): Promise<string> => {
    try {
      const database = await opening;
      const end = await Promise.race([database.ended, stopping.promise]);
      if (end === 'stopped') await database.stop();
      else await database.leave();
      return end ?? 'its server closed the connection';
    } catch (error) {
      return error instanceof Error ? (error.message.split('\n')[0] ?? error.name) : String(error);
    } finally {
      isRunning = false;
    }
  };
  return {
    name: 'database',
    exited: run(),
    isRunning: () => isRunning,
    ready: async () => void (await opening),
    stop: () => stopping.resolve('stopped'),
    kill: () => stopping.resolve('stopped'),
  };
}
