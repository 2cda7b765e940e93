import { watchSignals, type StopSignals } from './signals.ts';

/** Exit code of a process that its user stopped at once: 128 + SIGINT. */
const FORCED_EXIT_CODE = 130;

/**
 * Runs what lives until it is told to stop. What goes wrong is told in one line and exit code 1; what goes wrong
 * because it is being stopped is no news.
 */
export async function runToTheEnd(work: (signals: StopSignals) => Promise<void>): Promise<void> {
  const signals = watchSignals();
  try {
    await work(signals);
  } catch (error) {
    if (!signals.stopping.aborted) {
      // What failed first tells more than what then failed to stop.
      const first: unknown = error instanceof SuppressedError ? error.suppressed : error;
      process.stderr.write(`${first instanceof Error ? first.message : String(first)}\n`);
      process.exitCode = 1;
    }
  }
  if (signals.forced.aborted) process.exitCode = FORCED_EXIT_CODE;
  // A log file or a socket that is still open must not hold the terminal.
  process.exit();
}
