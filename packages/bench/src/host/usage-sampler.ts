import { median } from '../statistics.ts';
import { readCpuSeconds, readMemoryMb } from './process-usage.ts';

const INTERVAL_MS = 500;

/** Watches a process while something runs: its memory at most, and the share of its core that it used. */
export class UsageSampler {
  #peakMb = 0;
  readonly #shares: number[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(pid: number) {
    let cpuSeconds = readCpuSeconds(pid);
    let atMs = performance.now();
    this.#timer = setInterval(() => {
      const nextSeconds = readCpuSeconds(pid);
      const nextMs = performance.now();
      this.#shares.push((nextSeconds - cpuSeconds) / ((nextMs - atMs) / 1000));
      [cpuSeconds, atMs] = [nextSeconds, nextMs];
      this.#peakMb = Math.max(this.#peakMb, readMemoryMb(pid).now);
    }, INTERVAL_MS);
  }

  /** The median of the shares leaves out the rise at the start and the fall at the end. */
  stop(): { peakMb: number; cpuShare: number } {
    clearInterval(this.#timer);
    return { peakMb: this.#peakMb, cpuShare: median(this.#shares) };
  }
}
