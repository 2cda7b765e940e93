import { availableParallelism, totalmem } from 'node:os';
import { apiNodeFlags } from './packages/core/src/runtime/api-node-flags.ts';

const MIB = 1024 ** 2;
const MAX_HEAP_MIB = 2_000;
/** Each process keeps what all its files imported, so below this size a collection frees little. At most half of the memory. */
const heapMib = Math.min(MAX_HEAP_MIB, totalmem() / MIB / 2 / (availableParallelism() + 1));

/**
 * Node's flags for the processes of the tests: those of the api, but more memory for less processor time, and faster imports of
 * Drizzle. The later flag counts.
 */
export const NODE_FLAGS = [
  ...apiNodeFlags(),
  '--maglev',
  '--max-semi-space-size=64',
  `--initial-old-space-size=${Math.floor(heapMib)}`,
  '--import',
  import.meta.resolve('./db/src/quick-imports.ts'),
];
