import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/** The calling thread (https://man7.org/linux/man-pages/man2/setpriority.2.html, "C library/kernel differences"). */
const THIS_THREAD = 0;
const THREADS_DIR = '/proc/self/task';
/** V8's garbage-collection and compiler threads, shared by all JavaScript threads. */
const V8_THREAD = 'V8Worker';

/**
 * Lowers the priority of the calling thread. Otherwise, long work on the event loop's core delays
 * every request by several time slices. Works only on Linux, where threads have priorities.
 */
export function lowerThreadPriority(): void {
  if (process.platform === 'linux') lower(THIS_THREAD);
}

/** Lowers the priority of V8's own threads in this process. */
export function lowerV8ThreadPriorities(): void {
  if (process.platform !== 'linux') return;
  for (const thread of readdirSync(THREADS_DIR)) if (readName(thread) === V8_THREAD) lower(Number(thread));
}

function readName(thread: string): string | null {
  try {
    return readFileSync(`${THREADS_DIR}/${thread}/comm`, 'utf8').trim();
  } catch {
    return null; // It has ended.
  }
}

function lower(thread: number): void {
  const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;
  try {
    setPriority(thread, Math.min(getPriority(thread) + PRIORITY_BELOW_NORMAL, PRIORITY_LOW));
  } catch {
    // The thread ended or a sandbox forbids the call. Everything still works, with less even latency.
  }
}
