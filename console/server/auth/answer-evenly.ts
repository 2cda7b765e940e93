import { setTimeout as sleep } from 'node:timers/promises';

/** Delays a response to at least `floorMs`, so that its duration does not reveal the result. */
export async function answerEvenly<T>(floorMs: number, work: () => Promise<T>): Promise<T> {
  const [result] = await Promise.all([work(), sleep(floorMs)]);
  return result;
}
