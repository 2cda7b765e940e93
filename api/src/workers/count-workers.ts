const MIB = 1024 * 1024;
/** A worker under load, with its share of the memory for bodies. */
const MEMORY_OF_WORKER = 512 * MIB;
/** Each worker has its own connections to the database, of which the embedded one allows 200. */
const MAX_AUTO = 8;
export const MAX_WORKERS = 64;

/** What a machine or cgroup has. */
export interface Machine {
  /** Of the CPU affinity and the quota of the cgroup, if there is one. */
  cores: number;
  memoryBytes: number;
}

/** The number of api processes for API_WORKERS: `auto` is one for each core, as far as the memory allows. */
export function countWorkers(setting: 'auto' | number, { cores, memoryBytes }: Machine): number {
  if (setting !== 'auto') return setting;
  return Math.max(1, Math.min(cores, Math.floor(memoryBytes / MEMORY_OF_WORKER), MAX_AUTO));
}
