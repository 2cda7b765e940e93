import { availableMemoryBytes } from './available-memory.ts';

const GIB = 1024 ** 3;
/** With less memory, Node's default is kept. */
const MIN_MEMORY_BYTES = 2 * GIB;
/**
 * With Node's default (16 MiB), young collections are so frequent that each copies many requests in progress. This size needs
 * up to 144 MiB more memory under load.
 */
const SEMI_SPACE_MIB = 64;

/**
 * The event loop collects garbage without waiting for helper threads: those yield to every other thread of a busy machine, and a
 * collection of 9 ms took up to 348 ms. Marking in the background stays.
 */
const COLLECTION = [
  '--no-parallel-scavenge',
  '--no-parallel-marking',
  '--no-parallel-compaction',
  '--no-parallel-pointer-update',
];

/** Node's flags for the api. */
export function apiNodeFlags(availableBytes = availableMemoryBytes()): string[] {
  return availableBytes < MIN_MEMORY_BYTES
    ? [...COLLECTION]
    : [...COLLECTION, `--max-semi-space-size=${SEMI_SPACE_MIB}`];
}
