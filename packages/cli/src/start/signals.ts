/** Ctrl-C arrives twice, from the terminal and through npm. Signals within this time count as one. */
const SAME_SIGNAL_MS = 500;

export interface StopSignals {
  /** The first Ctrl-C, SIGTERM or closed terminal: drain. */
  stopping: AbortSignal;
  /** The second one: stop immediately. */
  forced: AbortSignal;
}

/** Turns the process's signals into two harnesses; by default they would end the process immediately. */
export function watchSignals(
  source: NodeJS.EventEmitter = process,
  now: () => number = Date.now,
): StopSignals {
  const stopping = new AbortController();
  const forced = new AbortController();
  let firstMs = 0;
  const onSignal = () => {
    if (!stopping.signal.aborted) {
      firstMs = now();
      stopping.abort();
    } else if (now() - firstMs > SAME_SIGNAL_MS) forced.abort();
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) source.on(name, onSignal);
  return { stopping: stopping.signal, forced: forced.signal };
}

/** Settles when a signal fires; never rejects. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
