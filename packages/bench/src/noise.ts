import type { BenchResult } from './result.ts';
import { median } from './statistics.ts';
import { formatFixed, formatTable } from './table.ts';
import type { SubjectRounds } from './throughput/rounds.ts';

/** How steady the machine was in a part: the last subject is the reference, which the same code in each round should make equal. */
interface Noise {
  part: string;
  reference: string;
  /** The difference between its fastest and its slowest round, over the median. */
  variation: number;
  /** Share of the core under test that other programs used. */
  othersShare: number;
}

/** @param results of one load; the last is the reference */
export function computeNoise(part: string, results: readonly SubjectRounds[]): Noise[] {
  const reference = results.at(-1);
  if (reference === undefined) return [];
  const speeds = reference.rounds.map(({ requestsPerSecond }) => requestsPerSecond);
  const all = results.flatMap(({ rounds }) => rounds.map(({ othersShare }) => othersShare));
  return [
    {
      part,
      reference: reference.name,
      variation: (Math.max(...speeds) - Math.min(...speeds)) / median(speeds),
      othersShare: median(all),
    },
  ];
}

/** Null if nothing was measured in rounds. */
export function formatNoise(result: BenchResult): string | null {
  const { throughput, metered, bodies, sse, workers } = result;
  const scenarios = [
    ...(bodies ?? []).map(({ name, results }) => ({ name: `bodies of ${name}`, results })),
    ...(sse ?? []).map(({ name, results }) => ({ name: `SSE ${name}`, results })),
    ...(workers?.kind === 'measured'
      ? (workers.limited ?? []).map(({ name, one, two }) => ({
          name: `workers ${name}`,
          results: [two, one],
        }))
      : []),
  ];
  const rows = [
    ...computeNoise('throughput', throughput ?? []),
    ...computeNoise('metered', metered ?? []),
    ...scenarios.flatMap(({ name, results }) => computeNoise(name, results)),
  ];
  if (rows.length === 0) return null;
  const percent = (share: number) => formatFixed(share * 100, 0, ' %');
  return formatTable([
    ['', 'reference', 'its rounds differ by', 'other programs'],
    ...rows.map(({ part, reference, variation, othersShare }) => [
      part,
      reference,
      percent(variation),
      percent(othersShare),
    ]),
  ]);
}
