/**
 * Half of the young generation. A full collection copies all of it that the marking met, so the size bounds the pause: with 64 MiB,
 * V8's default on large machines, it took up to 77 ms. With 8 MiB, too many requests outlive two young collections on a busy machine.
 */
const SEMI_SPACE_MIB = 16;

/**
 * The event loop collects garbage without waiting for helper threads: those yield to every other thread of a busy machine, and a
 * collection of 9 ms took up to 348 ms. Marking and sweeping in the background stay, except of buffers: the next young collection
 * waited up to 34 ms for their sweeper.
 */
const WITHOUT_HELPERS = [
  '--no-parallel-scavenge',
  '--no-parallel-marking',
  '--no-parallel-compaction',
  '--no-parallel-pointer-update',
  '--no-concurrent-array-buffer-sweeping',
];

/**
 * Environment of the api's processes. The C library keeps freed memory once for all threads, not once for each: 5 MB less at rest, up
 * to 30 MB less under load.
 */
export const API_ENVIRONMENT: Readonly<Record<string, string>> = { MALLOC_ARENA_MAX: '1' };

/** Node's flags for the api. V8 reads them only when the process starts. */
export function apiNodeFlags(): string[] {
  return [
    ...WITHOUT_HELPERS,
    `--max-semi-space-size=${SEMI_SPACE_MIB}`,
    // Young collections go on while a full one marks. Otherwise everything that the marking met stays and is copied at its end.
    '--no-separate-gc-phases',
    // The jobs of this compiler hold up to 100 MB until the event loop takes their results. TurboFan, the tier above, needs 10.
    '--no-maglev',
    // For `shrinkHeap` of the api.
    '--expose-gc',
  ];
}
