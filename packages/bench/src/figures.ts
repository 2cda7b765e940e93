import { targetFootprint } from './footprint/targets.ts';
import { targetSingle } from './single/targets.ts';
import { targetMetered, targetThroughput } from './throughput/targets.ts';
import { targetWorkers } from './workers/targets.ts';
import { targetBodies, targetSse } from './bodies/targets.ts';
import { computeGrowth } from './growth/measure.ts';
import { findWorst } from './hostile/measure.ts';
import { addedLatency } from './latency/measure.ts';
import { getNamed, type BenchResult } from './result.ts';
import { targetStall } from './stall/targets.ts';
import { addedDelay } from './streams/measure.ts';
import type { Target } from './targets.ts';
import { speedRatio } from './throughput/rounds.ts';
import type { LedgerSnapshot } from './throughput/ledger-snapshot.ts';
import { addedFirstByte, translationRatio } from './translation/measure.ts';

/** The figures that the targets speak of; those of a part that was not asked for are null. */
export interface Figures {
  /** Requests per second of the gateway over those of the other, the median of the rounds. */
  throughput: { overPortkey: number; overNginx: number } | null;
  /** `memoryMb`: the gateway's resident memory at most while it streamed. */
  streams: { addedP99Ms: number; memoryMb: number } | null;
  /**
   * `translatedOverRelayed`: chunks translated over chunks relayed in the same processor time. `addedFirstByteP99Ms`:
   * what a translating gateway adds to the first text of an answer.
   */
  translation: { translatedOverRelayed: number; addedFirstByteP99Ms: number } | null;
  metered: { overPortkey: number } | null;
  /** What the gateway adds to an answer with a metered key. */
  latency: { addedP50Ms: number; addedP99Ms: number } | null;
  /** What one tenant's attacks do to another: the rise of its times, and the gateway's memory. */
  hostile: { riseP99Ms: number; peakMb: number } | null;
  growth: { keys: Growth; pastRequests: Growth } | null;
  /** Figures that are judged with their spread. */
  targets: readonly Target[];
  /** Parts that could not be measured. */
  failures: readonly string[];
  /** Chunks that did not arrive, were out of order, or whose stream did not end well; null: nothing was streamed. */
  chunksLost: number | null;
  books: readonly LedgerSnapshot[];
  answered: number;
  /** Requests that wrk aborted at the end of a round, in addition to the completed ones. */
  recorded: number;
}

/** What many rows do to a request: figures with many over figures with few. */
interface Growth {
  rows: number;
  costRatio: number;
  throughputRatio: number;
}

export function summarise(result: BenchResult): Figures {
  const { throughput, streams, translation, metered, latency, hostile, growth } = result;
  const streamed = streams === null ? null : getNamed(streams, 'gateway');
  const over = (results: NonNullable<typeof metered>, subject: string, base: string) =>
    speedRatio(getNamed(results, subject), getNamed(results, base));
  const added = latency && addedLatency(getNamed(latency, 'metered'), getNamed(latency, 'direct'));
  return {
    throughput: throughput && {
      overPortkey: over(throughput, 'gateway', 'portkey'),
      overNginx: over(throughput, 'gateway', 'nginx'),
    },
    streams: streams &&
      streamed && {
        addedP99Ms: addedDelay(streamed, getNamed(streams, 'direct')).p99Ms,
        memoryMb: Math.max(...streamed.rounds.map((round) => round.usage?.peakMb ?? Number.NaN)),
      },
    translation: translation && {
      translatedOverRelayed: translationRatio(translation),
      addedFirstByteP99Ms: addedFirstByte(translation).p99Ms,
    },
    metered: metered && { overPortkey: over(metered, 'metered', 'portkey') },
    latency: added && { addedP50Ms: added.p50Ms, addedP99Ms: added.p99Ms },
    hostile: hostile && findWorst(hostile),
    growth: growth && {
      keys: { rows: growth.keys, ...computeGrowth(growth.manyKeys, growth.few) },
      pastRequests: { rows: growth.pastRequests, ...computeGrowth(growth.manyRequests, growth.few) },
    },
    targets: [
      ...(throughput === null ? [] : targetThroughput(throughput, result.against)),
      ...(metered === null ? [] : targetMetered(metered)),
      ...(result.bodies === null ? [] : targetBodies(result.bodies)),
      ...(result.sse === null ? [] : targetSse(result.sse)),
      ...(result.stall === null ? [] : targetStall(result.stall, result.backgroundLoad)),
      ...(result.single === null ? [] : targetSingle(result.single, result.backgroundLoad)),
      ...(result.footprint === null ? [] : targetFootprint(result.footprint, result.backgroundLoad)),
      ...(result.workers === null ? [] : targetWorkers(result.workers)),
    ],
    failures: result.failures,
    chunksLost: countLost(result),
    books: result.books,
    answered: result.answered,
    recorded: result.recorded,
  };
}

function countLost({ streams, translation }: BenchResult): number | null {
  if (streams === null && translation === null) return null;
  const rounds = streams === null ? [] : getNamed(streams, 'gateway').rounds;
  return rounds.reduce(
    (sum, round) => sum + round.lost + round.outOfOrder + round.incomplete,
    translation?.chunksLost ?? 0,
  );
}
