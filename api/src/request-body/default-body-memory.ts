import { totalmem } from 'node:os';

const MIB = 1024 * 1024;
const SHARE_OF_MEMORY = 1 / 8;
export const MIN_BODY_MEMORY_MIB = 64;
const MAX_BODY_MEMORY_MIB = 1024;

/** The memory that this process may use, in bytes: that of the machine or of its cgroup (v1 or v2), whichever is less. */
export function availableMemoryBytes(): number {
  // 0 or a huge number: no limit (https://nodejs.org/api/process.html#processconstrainedmemory).
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/** The memory for request bodies if the operator sets none: an eighth of what there is, from 64 MiB to 1 GiB. */
export function defaultBodyMemoryBytes(availableBytes = availableMemoryBytes()): number {
  const share = Math.floor((availableBytes * SHARE_OF_MEMORY) / MIB);
  return Math.min(Math.max(share, MIN_BODY_MEMORY_MIB), MAX_BODY_MEMORY_MIB) * MIB;
}
