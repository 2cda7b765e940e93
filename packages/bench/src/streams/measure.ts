import { UsageSampler } from '../host/usage-sampler.ts';
import { median } from '../statistics.ts';
import type { Subject } from '../subjects/subject.ts';
import { RAMP_SECONDS, runStreams, SETTLE_SECONDS, type StreamResult } from './client.ts';

interface StreamRound extends StreamResult {
  /** Not measured for the direct baseline, which is this process itself. */
  usage: { peakMb: number; cpuShare: number } | null;
}

export interface StreamRounds {
  name: string;
  rounds: StreamRound[];
}

export interface StreamOptions {
  streams: number;
  chunksPerStream: number;
  rounds: number;
  signal: AbortSignal;
  onProgress: (line: string) => void;
}

/** How long a stream must be so that all of them are open for the measured seconds. */
export function countChunks(measuredSeconds: number, chunksPerSecond: number): number {
  return (RAMP_SECONDS + SETTLE_SECONDS + measuredSeconds) * chunksPerSecond;
}

/** Reads the same streams from each target in turn, round after round; the first is the upstream itself. */
export async function measureStreams(
  direct: Pick<Subject, 'name' | 'baseUrl'>,
  subjects: readonly Subject[],
  options: StreamOptions,
): Promise<StreamRounds[]> {
  const targets = [{ ...direct, headers: {}, pid: null }, ...subjects];
  const results: StreamRounds[] = targets.map(({ name }) => ({ name, rounds: [] }));
  for (let round = 0; round < options.rounds; round++) {
    for (const [index, target] of targets.entries()) {
      options.onProgress(`streams ${round + 1}/${options.rounds}  ${target.name}`);
      const sampler = target.pid === null ? null : new UsageSampler(target.pid);
      try {
        const load = {
          url: new URL(`${target.baseUrl}/chat/completions`),
          headers: target.headers,
          model: 'bench-stream',
          ...options,
        };
        results[index]?.rounds.push({ ...(await runStreams(load)), usage: sampler?.stop() ?? null });
      } finally {
        sampler?.stop();
      }
    }
  }
  return results;
}

export interface AddedDelay {
  p50Ms: number;
  p99Ms: number;
}

/**
 * What a subject adds: its distribution minus that of the direct baseline of the same round, percentile by percentile,
 * and of the rounds the median.
 */
export function addedDelay(subject: StreamRounds, direct: StreamRounds): AddedDelay {
  const added = (share: 'p50' | 'p99') =>
    median(
      subject.rounds.map(
        (round, index) => round.delayMs[share] - (direct.rounds[index]?.delayMs[share] ?? Number.NaN),
      ),
    );
  return { p50Ms: added('p50'), p99Ms: added('p99') };
}
