import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
// oxlint-disable-next-line no-restricted-imports -- the heap limit of the calling thread
import { resourceLimits } from 'node:worker_threads';

/** For what is made of parsed values, and of fragments that are not collected. */
const SPARE_SHARE = 1 / 8;
const MIB = 1024 ** 2;

/**
 * The bytes of heap that the calling thread has left; infinite without a limit. Collects garbage first if it is more than half full.
 * V8's own `heap_size_limit` also counts the young generation, which cannot hold what lives on.
 */
export function getHeapRoom(): number {
  const { used_heap_size: used } = getHeapStatistics();
  const limit = (resourceLimits.maxOldGenerationSizeMb ?? Infinity) * MIB;
  const spare = limit * SPARE_SHARE;
  if (used < limit / 2) return limit - spare - used;
  collectGarbage();
  return limit - spare - getHeapStatistics().used_heap_size;
}

let collect: (() => void) | null = null;

function collectGarbage(): void {
  if (collect === null) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}
