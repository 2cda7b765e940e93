import { pino } from 'pino';
import type { ApiEnv } from '../env.ts';
import { openListeningSockets } from './listening-sockets.ts';
import { LINGER_MS } from './leave.ts';
import { Supervisor } from './supervisor.ts';

/** Includes migrations of the database. */
const READY_WITHIN_MS = 120_000;
/** For what a worker stores at its end. */
const END_MS = 30_000;

/**
 * Runs the api as several workers: sockets → workers → signals. SIGTERM and SIGINT drain all workers, a second one ends them;
 * SIGHUP replaces them one after another.
 * @throws Error with the reason if the port cannot be used
 */
export async function supervise(env: ApiEnv, workerEnv: NodeJS.ProcessEnv, workers: number): Promise<void> {
  // The sources or the build. Workers that are started later run the current build.
  const [, program] = process.argv;
  if (program === undefined) throw new Error('Workers need a program: start the api from its file.');
  const log = pino({ name: 'api', level: env.LOG_LEVEL });
  const { sockets, port } = await openListeningSockets(env.API_HOST, env.API_PORT, workers);
  const supervisor = new Supervisor({
    spec: { file: program, env: workerEnv },
    sockets,
    log,
    readyWithinMs: READY_WITHIN_MS,
    leaveWithinMs: LINGER_MS + env.DRAIN_TIMEOUT_MS + END_MS,
  });
  let isStopping = false;
  const stop = (signal: NodeJS.Signals) => {
    // A second signal skips the drain.
    if (isStopping) {
      supervisor.kill();
      process.exit(1);
    }
    isStopping = true;
    log.info({ signal }, 'draining the workers');
    supervisor.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'the workers could not be drained: they are ended');
        supervisor.kill();
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('SIGHUP', () => {
    if (isStopping) log.info({ signal: 'SIGHUP' }, 'ignored: the workers are draining');
    else void supervisor.roll();
  });
  const isStarted = await supervisor.start();
  if (isStopping) return;
  // The worker has written the reason.
  if (!isStarted) process.exit(1);
  log.info({ host: env.API_HOST, port, workers }, 'the api listens with several workers');
}
