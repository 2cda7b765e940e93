import { goFirst, keepAwake } from '../host/steady-cores.ts';
import { median, percentile } from '../statistics.ts';
import { encodeRequest } from '../subjects/completion.ts';
import type { Harness, Subject } from '../subjects/subject.ts';
import { runWrk } from '../throughput/wrk.ts';
import { runOpenLoop } from './open-loop.ts';

/** How long the provider thinks. */
export const THINKING_MS = 20;
const REQUESTS_PER_SECOND = 500;
const WARMUP_CONNECTIONS = 64;
/** A round is cut into slices, in which all are asked in turns: what disturbs the machine for a while disturbs all of them. */
const SLICE_SECONDS = 1;

/** Percentiles of the time from when a request was due to the end of its answer. */
interface AnswerTimes {
  p50Ms: number;
  p99Ms: number;
}

export interface LatencyRounds {
  name: string;
  rounds: AnswerTimes[];
  /** Answered in all, the warm-up included. */
  answered: number;
}

export interface LatencyOptions {
  /** Base URL of the provider that thinks. */
  directUrl: string;
  rounds: number;
  seconds: number;
  warmupSeconds: number;
  onProgress: (line: string) => void;
}

/** Asks the provider straight and through each subject, in turns, at a fixed rate. The first of the results is the provider. */
export async function measureLatency(
  harness: Harness,
  subjects: readonly Subject[],
  options: LatencyOptions,
): Promise<LatencyRounds[]> {
  const { rounds, seconds, warmupSeconds, onProgress } = options;
  const direct = { name: 'direct', baseUrl: options.directUrl, headers: {} };
  const targets = [direct, ...subjects].map((target) => {
    const result: LatencyRounds = { name: target.name, rounds: [], answered: 0 };
    return { ...target, result };
  });
  const rate = {
    body: encodeRequest('bench-delayed'),
    requestsPerSecond: REQUESTS_PER_SECOND,
    signal: harness.signal,
  };
  // Compilers do their work by the number of requests: at the fixed rate they would be at it for minutes.
  for (const [index, subject] of subjects.entries()) {
    onProgress(`latency  warming up ${subject.name}`);
    const load = { connections: WARMUP_CONNECTIONS, seconds: warmupSeconds };
    const { requests } = await runWrk(harness, subject, load);
    const target = targets[index + 1];
    if (target !== undefined) target.result.answered += requests;
  }
  using awake = keepAwake();
  using first = goFirst(harness.tools);
  if (awake === null || first === null)
    onProgress(
      'latency  only root can keep cores awake and put the load before the database: times are longer',
    );
  for (let round = 1; round <= rounds; round++) {
    const times = targets.map((): number[] => []);
    for (let slice = 0; slice < seconds; slice += SLICE_SECONDS) {
      for (const [index, { baseUrl, headers, result }] of targets.entries()) {
        const url = new URL(`${baseUrl}/chat/completions`);
        const answers = await runOpenLoop({ ...rate, url, headers, seconds: SLICE_SECONDS });
        times[index]?.push(...answers.times);
        result.answered += answers.requests;
      }
    }
    for (const [index, { name, result }] of targets.entries()) {
      const ofRound = times[index] ?? [];
      const [p50Ms, p99Ms] = [percentile(ofRound, 0.5), percentile(ofRound, 0.99)];
      result.rounds.push({ p50Ms, p99Ms });
      onProgress(
        `latency ${round}/${rounds}  ${name}  ${p50Ms.toFixed(2)} ms p50, ${p99Ms.toFixed(2)} ms p99`,
      );
    }
  }
  return targets.map(({ result }) => result);
}

/** What a subject adds to the provider's own time, percentile by percentile, the median of the rounds. */
export function addedLatency(
  subject: LatencyRounds,
  direct: LatencyRounds,
): { p50Ms: number; p99Ms: number } {
  const added = (share: 'p50Ms' | 'p99Ms') =>
    median(
      subject.rounds.map((times, round) => times[share] - (direct.rounds[round]?.[share] ?? Number.NaN)),
    );
  return { p50Ms: added('p50Ms'), p99Ms: added('p99Ms') };
}
