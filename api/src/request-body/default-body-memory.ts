import { availableMemoryBytes } from '@tollgate/core/runtime/available-memory';

const MIB = 1024 * 1024;
const SHARE_OF_MEMORY = 1 / 8;
export const MIN_BODY_MEMORY_MIB = 64;
/** One response of 64 MiB fits in the three quarters that large responses share. */
export const MIN_RESPONSE_MEMORY_MIB = 96;
const MAX_MEMORY_MIB = 1024;

/** Default memory for request bodies: an eighth of the available memory, from 64 MiB to 1 GiB. */
export function defaultBodyMemoryBytes(availableBytes = availableMemoryBytes()): number {
  return computeShare(availableBytes, MIN_BODY_MEMORY_MIB);
}

/** The same for responses that are not streams, from 96 MiB to 1 GiB. */
export function defaultResponseMemoryBytes(availableBytes = availableMemoryBytes()): number {
  return computeShare(availableBytes, MIN_RESPONSE_MEMORY_MIB);
}

function computeShare(availableBytes: number, leastMib: number): number {
  const share = Math.floor((availableBytes * SHARE_OF_MEMORY) / MIB);
  return Math.min(Math.max(share, leastMib), MAX_MEMORY_MIB) * MIB;
}
