import path from 'node:path';
import { z } from 'zod';
import { MAX_WORKERS } from './count-workers.ts';

/** Workers of a release that was installed meanwhile must understand the supervisor that starts them. */
const PROTOCOL = 2;
/** First file descriptor of the listening socket, after those of the streams and of the channel. */
export const LISTEN_FD = 4;
/**
 * A worker has the listening socket under so many file descriptors, because libuv accepts one connection for each of them in a
 * turn of the event loop.
 */
export const LISTEN_FDS = 8;

const placeSchema = z.object({
  protocol: z.literal(PROTOCOL, {
    error: 'this release needs another supervisor: restart the api, instead of its workers only',
  }),
  slot: z.int().min(1),
  workers: z.int().min(1).max(MAX_WORKERS),
  // A supervisor of an earlier release gives one.
  listenFds: z.int().min(1).max(LISTEN_FDS).default(1),
});

/** What a worker knows about itself when it starts. */
export interface WorkerPlace {
  /** Number of its directory, from 1. No two running workers have the same. */
  slot: number;
  /** Number of workers that share the memory and the cores. */
  workers: number;
  /** Number of file descriptors of its listening socket, from {@link LISTEN_FD}. */
  listenFds: number;
}

export function encodePlace(place: WorkerPlace): string {
  return JSON.stringify({ protocol: PROTOCOL, ...place });
}

/** TOLLGATE_WORKER, as {@link encodePlace} writes it. */
export const workerPlaceSchema = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue('must be set by the supervisor of workers only');
      return z.NEVER;
    }
  })
  .pipe(placeSchema);

/** Folder of the spool and the journal. The first worker has that of an api without workers. */
export function getSpoolDirectory(dataDir: string, slot: number): string {
  const spool = path.join(dataDir, 'spool');
  return slot === 1 ? spool : path.join(spool, `worker-${slot}`);
}
