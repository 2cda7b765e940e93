/**
 * Runs synchronous work.
 * @returns the processor time that this thread needed for it, in milliseconds: other programs do not count
 */
export function threadTimeMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
