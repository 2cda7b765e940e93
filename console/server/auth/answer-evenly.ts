import { setTimeout as sleep } from 'node:timers/promises';

/** Makes an answer take at least `floorMs`, so that its time does not tell what was found. */
export async function answerEvenly<T>(floorMs: number, work: () => Promise<T>): Promise<T> {
  const [result] = await Promise.all([work(), sleep(floorMs)]);
  return result;
}
