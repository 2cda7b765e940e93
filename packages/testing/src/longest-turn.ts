import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs work that must not block the event loop.
 * @returns its result, and the longest processor time that this thread needed in about one turn of the event loop, in
 *   milliseconds: other programs do not count
 */
export async function longestTurn<T>(work: () => Promise<T>): Promise<{ result: T; longestMs: number }> {
  const state = { isOver: false };
  let longestMs = 0;
  const running = sleep(1)
    .then(work)
    .finally(() => (state.isOver = true));
  while (!state.isOver) {
    const before = process.threadCpuUsage();
    await sleep(1);
    const { user, system } = process.threadCpuUsage(before);
    longestMs = Math.max(longestMs, (user + system) / 1_000);
  }
  return { result: await running, longestMs };
}
