interface Log {
  error(detail: object, message: string): void;
}

const LOST = new Set(['CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'CONNECTION_ENDED']);

/**
 * Keeps the process running when the driver rejects a promise of its own after a lost connection: no caller has that
 * promise, so none can handle it. It is logged with its stack. Every other unhandled rejection ends the process.
 */
export function surviveLostConnection(log: Log): void {
  process.on('unhandledRejection', (reason) => {
    if (!(reason instanceof Error && 'code' in reason && LOST.has(String(reason.code)))) throw reason;
    log.error({ err: reason }, 'a lost connection to PostgreSQL was handled nowhere');
  });
}
