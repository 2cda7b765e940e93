interface Log {
  error(detail: object, message: string): void;
}

/** https://github.com/porsager/postgres#error-handling */
const LOST = new Set(['CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'CONNECTION_ENDED']);

/**
 * Logs unhandled rejections with the code of a lost connection of postgres.js, with their stack, and keeps the process
 * running: the driver rejects internal promises that no caller has. This also hides a missing `catch` of ours. Call it
 * once for each process. Every other unhandled rejection is thrown and ends the process.
 */
export function surviveLostConnection(log: Log): void {
  process.on('unhandledRejection', (reason) => {
    if (!(reason instanceof Error && 'code' in reason && LOST.has(String(reason.code)))) throw reason;
    log.error({ err: reason }, 'Unhandled rejection after a lost connection to PostgreSQL');
  });
}
