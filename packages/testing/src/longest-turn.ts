import { setTimeout as sleep } from 'node:timers/promises';

const INTERVAL_MS = 1;

/**
 * Watches the turns of this thread's event loop until `stop`.
 * @returns `stop`, which returns the processor time of the longest turn in milliseconds: other programs do not count
 */
export function watchTurns(): { stop(): number } {
  let longestMs = 0;
  let last = process.threadCpuUsage();
  const note = () => {
    const { user, system } = process.threadCpuUsage(last);
    longestMs = Math.max(longestMs, (user + system) / 1_000);
    last = process.threadCpuUsage();
  };
  const timer = setInterval(note, INTERVAL_MS);
  return {
    stop: () => {
      clearInterval(timer);
      note();
      return longestMs;
    },
  };
}

/**
 * Runs work that must not block the event loop.
 * @returns its result, and the longest turn as `watchTurns` measures it
 */
export async function longestTurn<T>(work: () => Promise<T>): Promise<{ result: T; longestMs: number }> {
  const turns = watchTurns();
  try {
    const result = await sleep(1).then(work);
    return { result, longestMs: turns.stop() };
  } finally {
    turns.stop();
  }
}
