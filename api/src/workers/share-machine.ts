import { availableParallelism } from 'node:os';
import { availableMemoryBytes } from '@tollgate/core/runtime/available-memory';
import {
  defaultBodyMemoryBytes,
  defaultResponseMemoryBytes,
  MIN_BODY_MEMORY_MIB,
  MIN_RESPONSE_MEMORY_MIB,
} from '../request-body/default-body-memory.ts';
import type { Machine } from './count-workers.ts';

const MIB = 1024 * 1024;

/** The share of one worker. */
interface MachineShare extends Machine {
  /** @param total the setting for all workers; undefined: derived from the memory */
  shareBodies(total: number | undefined): number;
  shareResponses(total: number | undefined): number;
}

/** The cores and the memory that one of several processes may use. The largest body fits in each share. */
export function shareMachine(workers: number): MachineShare {
  const memoryBytes = Math.floor(availableMemoryBytes() / workers);
  const share = (total: number, leastMib: number) =>
    workers === 1 ? total : Math.max(Math.floor(total / workers), leastMib * MIB);
  return {
    cores: Math.ceil(availableParallelism() / workers),
    memoryBytes,
    shareBodies: (total) =>
      total === undefined ? defaultBodyMemoryBytes(memoryBytes) : share(total, MIN_BODY_MEMORY_MIB),
    shareResponses: (total) =>
      total === undefined ? defaultResponseMemoryBytes(memoryBytes) : share(total, MIN_RESPONSE_MEMORY_MIB),
  };
}
