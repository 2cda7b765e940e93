import { totalmem } from 'node:os';

/** The memory available to this process, in bytes: that of the machine or of its cgroup (v1 or v2), whichever is less. */
export function availableMemoryBytes(): number {
  // 0 or a huge number: no limit (https://nodejs.org/api/process.html#processconstrainedmemory).
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
