// oxlint-disable-next-line no-restricted-imports -- only says how large the heap is
import { resourceLimits } from 'node:worker_threads';

/** Half of this thread's heap: the text written from what is parsed needs memory too. */
export const MAX_PARSED_BYTES = ((resourceLimits.maxOldGenerationSizeMb ?? Infinity) * 1024 * 1024) / 2;
