import { asTyped } from '../output/as-typed.ts';
import { watchSignals, type StopSignals } from './signals.ts';

/** Exit code of a process that the user stopped immediately: 128 + SIGINT. */
const FORCED_EXIT_CODE = 130;

/**
 * Runs `work` until it is stopped. An error is written to stderr with exit code 1, except
 * while stopping.
 */
export async function runToTheEnd(work: (signals: StopSignals) => Promise<void>): Promise<void> {
  const signals = watchSignals();
  try {
    await work(signals);
  } catch (error) {
    if (!signals.stopping.aborted) {
      // Report the first error, not the failure to stop after it.
      const first: unknown = error instanceof SuppressedError ? error.suppressed : error;
      process.stderr.write(`${asTyped(first instanceof Error ? first.message : String(first))}\n`);
      process.exitCode = 1;
    }
  }
  if (signals.forced.aborted) process.exitCode = FORCED_EXIT_CODE;
  // Open log files or sockets must not block the exit.
  process.exit();
}
