import type { Logger } from 'pino';
import { describeError } from '../describe-error.ts';
import { isClosedBy } from './queue-database.ts';

export interface QueueLog {
  /** A statement or a task of the queue failed. */
  failed: (error: unknown) => void;
  /** A statement succeeded. */
  succeeded: () => void;
}

/**
 * Logs the errors of the job queue. While the database is down, each worker fails several times per second: the log
 * gets one line when this begins and one when it ends.
 */
export function createQueueLog(log: Logger): QueueLog {
  let isDown = false;
  return {
    failed(cause) {
      const error = toError(cause);
      if (!isLostDatabase(error)) log.error({ error: describeError(error) }, 'error of the job queue');
      else if (!isDown) {
        isDown = true;
        log.error({ error: describeError(error) }, 'the job queue cannot reach the database');
      }
    },
    succeeded() {
      if (!isDown) return;
      isDown = false;
      log.info('the job queue reaches the database again');
    },
  };
}

/** Pg-boss reports copies of errors: plain objects. */
function toError(cause: unknown): Error {
  if (cause instanceof Error) return cause;
  if (typeof cause !== 'object' || cause === null || !('message' in cause)) return new Error(typeof cause);
  return Object.assign(new Error(String(cause.message)), cause);
}

/** A closed connection, or a server that starts or stops (57P0x of SQLSTATE). */
function isLostDatabase(error: Error): boolean {
  return isClosedBy(error) || ('code' in error && String(error.code).startsWith('57P0'));
}
