/** A time in which the event loop of a process served nothing else, in milliseconds. */
export interface Stall {
  /** By the clock: what other programs took from the core is in it. */
  wallMs: number;
  /** Processor time of the main thread in it: what it did itself. */
  cpuMs: number;
  /** How much of `wallMs` was garbage collection of the main thread. */
  gcMs: number;
}

export interface StallReport {
  /** The longest by the clock, and the one with the most processor time of the main thread. */
  longest: Stall;
  busiest: Stall;
  /** The longest single collection. */
  longestGcMs: number;
  /** Time in collections, as a share of the time since the last reset. */
  gcShare: number;
  /** The delay that 99 of 100 probes stayed below. */
  p99Ms: number;
  ticks: number;
}

interface Interval {
  fromMs: number;
  toMs: number;
}

type Candidate = Interval & Pick<Stall, 'wallMs' | 'cpuMs'>;

/** Only the worst of each list is reported. */
const KEPT = 1;
const HISTOGRAM_STEP_MS = 0.25;
const NOTHING: Stall = { wallMs: 0, cpuMs: 0, gcMs: 0 };

/** Collects the delays of a probe and the collections of a process, and says which stalls were the longest. */
export class StallRecorder {
  #sinceMs: number;
  #ticks = 0;
  #byWall: Candidate[] = [];
  #byCpu: Candidate[] = [];
  #collections: Interval[] = [];
  /** Counts by delay, in steps; the last one counts all longer delays. */
  #histogram = new Uint32Array(4_000);

  constructor(nowMs: number) {
    this.#sinceMs = nowMs;
  }

  /** @param periodMs what the probe had asked for, which is no delay */
  addTick(fromMs: number, toMs: number, cpuMs: number, periodMs: number): void {
    const wallMs = Math.max(0, toMs - fromMs - periodMs);
    const candidate = { fromMs, toMs, wallMs, cpuMs };
    this.#ticks += 1;
    const step = Math.min(this.#histogram.length - 1, Math.floor(wallMs / HISTOGRAM_STEP_MS));
    this.#histogram[step] = (this.#histogram[step] ?? 0) + 1;
    keepWorst(this.#byWall, candidate, 'wallMs');
    keepWorst(this.#byCpu, candidate, 'cpuMs');
  }

  addCollection(startMs: number, durationMs: number): void {
    this.#collections.push({ fromMs: startMs, toMs: startMs + durationMs });
  }

  /** Forgets everything before. */
  reset(nowMs: number): void {
    this.#sinceMs = nowMs;
    this.#ticks = 0;
    this.#byWall = [];
    this.#byCpu = [];
    this.#collections = [];
    this.#histogram.fill(0);
  }

  report(nowMs: number): StallReport {
    const after = this.#collections.filter(({ toMs }) => toMs > this.#sinceMs);
    const describe = (candidate: Candidate | undefined): Stall => {
      if (candidate === undefined) return NOTHING;
      const gcMs = after.reduce((sum, interval) => sum + overlap(interval, candidate), 0);
      return { wallMs: candidate.wallMs, cpuMs: candidate.cpuMs, gcMs };
    };
    const lengths = after.map(({ fromMs, toMs }) => toMs - fromMs);
    return {
      longest: describe(this.#byWall[0]),
      busiest: describe(this.#byCpu[0]),
      longestGcMs: Math.max(0, ...lengths),
      gcShare: lengths.reduce((sum, length) => sum + length, 0) / (nowMs - this.#sinceMs),
      p99Ms: this.#p99(),
      ticks: this.#ticks,
    };
  }

  #p99(): number {
    let left = Math.ceil(this.#ticks * 0.99);
    for (const [step, count] of this.#histogram.entries()) {
      left -= count;
      if (left <= 0) return (step + 1) * HISTOGRAM_STEP_MS;
    }
    return Number.NaN;
  }
}

/** Keeps the list sorted, the worst first. */
function keepWorst(list: Candidate[], candidate: Candidate, by: 'wallMs' | 'cpuMs'): void {
  const least = list.at(-1);
  if (list.length === KEPT && least !== undefined && candidate[by] <= least[by]) return;
  list.push(candidate);
  list.sort((a, b) => b[by] - a[by]);
  if (list.length > KEPT) list.pop();
}

function overlap(a: Interval, b: Interval): number {
  return Math.max(0, Math.min(a.toMs, b.toMs) - Math.max(a.fromMs, b.fromMs));
}
