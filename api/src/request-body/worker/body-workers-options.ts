import { availableParallelism } from 'node:os';
import { availableMemoryBytes } from '../default-body-memory.ts';
import type { BodyWorkersOptions } from './body-workers.ts';

const MAX_THREADS = 4;
const TIME_LIMIT_MS = 15_000;
const SHARE_OF_MEMORY = 1 / 8;
const MIN_HEAP_MIB = 256;
const MAX_HEAP_MIB = 1_024;

/** What this machine can spend on parsing large bodies: one core stays with the event loop. */
export function bodyWorkersOptions(): BodyWorkersOptions {
  const shareMib = Math.floor((availableMemoryBytes() * SHARE_OF_MEMORY) / 1024 / 1024);
  return {
    threads: Math.min(Math.max(availableParallelism() - 1, 1), MAX_THREADS),
    timeLimitMs: TIME_LIMIT_MS,
    maxHeapMib: Math.min(Math.max(shareMib, MIN_HEAP_MIB), MAX_HEAP_MIB),
  };
}
