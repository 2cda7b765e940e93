import type { Machine } from '../../workers/count-workers.ts';
import type { BodyWorkersOptions } from './body-workers.ts';

const MAX_THREADS = 4;
const TIME_LIMIT_MS = 15_000;
const SHARE_OF_MEMORY = 1 / 8;
const MIN_HEAP_MIB = 256;
const MAX_HEAP_MIB = 1_024;
/** Heap limit of a thread that reads responses; few responses need that much. */
const RESPONSE_HEAP = { share: 1 / 4, minMib: 512, maxMib: 2_048 };

/** Options for large responses: twice as large as bodies, and their number of values is not limited. */
export function responseWorkersOptions(machine: Machine): BodyWorkersOptions {
  const { share, minMib, maxMib } = RESPONSE_HEAP;
  const shareMib = Math.floor((machine.memoryBytes * share) / 1024 / 1024);
  return { ...bodyWorkersOptions(machine), maxHeapMib: Math.min(Math.max(shareMib, minMib), maxMib) };
}

/** Options for large request bodies: one core is left to the event loop. */
export function bodyWorkersOptions({ cores, memoryBytes }: Machine): BodyWorkersOptions {
  const shareMib = Math.floor((memoryBytes * SHARE_OF_MEMORY) / 1024 / 1024);
  return {
    threads: Math.min(Math.max(cores - 1, 1), MAX_THREADS),
    timeLimitMs: TIME_LIMIT_MS,
    maxHeapMib: Math.min(Math.max(shareMib, MIN_HEAP_MIB), MAX_HEAP_MIB),
  };
}
