import { totalmem } from 'node:os';

const MIB = 1024 * 1024;
const SHARE_OF_MEMORY = 1 / 8;
export const MIN_BODY_MEMORY_MIB = 64;
/** One response of the largest size fits into the three quarters that one account may use. */
export const MIN_RESPONSE_MEMORY_MIB = 96;
const MAX_MEMORY_MIB = 1024;

/** The memory that this process may use, in bytes: that of the machine or of its cgroup (v1 or v2), whichever is less. */
export function availableMemoryBytes(): number {
  // 0 or a huge number: no limit (https://nodejs.org/api/process.html#processconstrainedmemory).
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/** The memory for request bodies if the operator sets none: an eighth of what there is, from 64 MiB to 1 GiB. */
export function defaultBodyMemoryBytes(availableBytes = availableMemoryBytes()): number {
  return shareOf(availableBytes, MIN_BODY_MEMORY_MIB);
}

/** The same for responses that are no streams: as much, from 96 MiB to 1 GiB. */
export function defaultResponseMemoryBytes(availableBytes = availableMemoryBytes()): number {
  return shareOf(availableBytes, MIN_RESPONSE_MEMORY_MIB);
}

function shareOf(availableBytes: number, leastMib: number): number {
  const share = Math.floor((availableBytes * SHARE_OF_MEMORY) / MIB);
  return Math.min(Math.max(share, leastMib), MAX_MEMORY_MIB) * MIB;
}
