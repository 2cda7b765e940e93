import { formatUsd } from '@tollgate/core/money/money';
import type { Figures } from './figures.ts';
import { judgeTarget } from './targets.ts';
import type { LedgerSnapshot } from './throughput/ledger-snapshot.ts';

/** What the product promises of its speed; the ratios hold on any machine, the absolute figures do not. */
const TARGETS = {
  overPortkey: 8,
  overNginx: 0.17,
  addedToChunkP99Ms: 10,
  memoryMb: 400,
  translatedOverRelayed: 0.5,
  addedFirstByteP99Ms: 5,
  meteredOverPortkey: 6,
  addedP50Ms: 1,
  addedP99Ms: 5,
  hostileRiseP99Ms: 20,
  hostileMemoryMb: 1_000,
  /** Within 10 %. */
  costRatio: 1.1,
  throughputRatio: 0.9,
} as const;

export interface Verdict {
  ok: boolean;
  /** Holds on a slow or shared machine too, so that even a quick run fails without it. */
  isCorrectness: boolean;
  /** One self-contained line. */
  text: string;
}

/** Holds the figures against the targets. What was asked for and could not be measured fails. */
export function judge(figures: Figures): Verdict[] {
  const { chunksLost, books, answered, recorded } = figures;
  return [
    ...judgeSpeeds(figures),
    ...judgeGrowth(figures.growth),
    ...figures.failures.map((failure) => verdict(false, `not measured: ${failure}`, 'measured', true)),
    ...figures.targets.map((target) => {
      const { outcome, text } = judgeTarget(target);
      return { ok: outcome === 'pass', isCorrectness: false, text };
    }),
    ...(chunksLost === null ? [] : [verdict(chunksLost === 0, `${chunksLost} chunks lost`, '0', true)]),
    ...(answered === 0
      ? []
      : [
          verdict(recorded >= answered, `${recorded} requests recorded of ${answered} answered`, 'all', true),
        ]),
    ...books.map(judgeLedger),
  ];
}

/** True where nothing failed; of a quick run, where nothing but speed did. */
export function isPassed(verdicts: readonly Verdict[], quick: boolean): boolean {
  return verdicts.every((verdict) => verdict.ok || (quick && !verdict.isCorrectness));
}

function judgeSpeeds({ throughput, streams, translation, metered, latency, hostile }: Figures): Verdict[] {
  const verdicts: Verdict[] = [];
  if (throughput !== null)
    verdicts.push(
      atLeast(throughput.overPortkey, TARGETS.overPortkey, (x) => `${x.toFixed(1)} × Portkey`),
      atLeast(throughput.overNginx, TARGETS.overNginx, (x) => `${x.toFixed(3)} × nginx`),
    );
  if (streams !== null)
    verdicts.push(
      atMost(
        streams.addedP99Ms,
        TARGETS.addedToChunkP99Ms,
        (ms) => `${ms.toFixed(1)} ms added to a chunk at p99`,
      ),
      verdict(
        streams.memoryMb < TARGETS.memoryMb,
        `${streams.memoryMb.toFixed(0)} MB of memory while streaming`,
        `< ${TARGETS.memoryMb} MB`,
      ),
    );
  if (translation !== null)
    verdicts.push(
      atLeast(
        translation.translatedOverRelayed,
        TARGETS.translatedOverRelayed,
        (x) => `${x.toFixed(2)} chunks translated for each one relayed in the same processor time`,
      ),
      atMost(
        translation.addedFirstByteP99Ms,
        TARGETS.addedFirstByteP99Ms,
        (ms) => `${ms.toFixed(1)} ms added to the first text at p99`,
      ),
    );
  if (metered !== null)
    verdicts.push(
      atLeast(metered.overPortkey, TARGETS.meteredOverPortkey, (x) => `metered: ${x.toFixed(1)} × Portkey`),
    );
  if (latency !== null)
    verdicts.push(
      atMost(latency.addedP50Ms, TARGETS.addedP50Ms, (ms) => `metered: ${ms.toFixed(2)} ms added at p50`),
      atMost(latency.addedP99Ms, TARGETS.addedP99Ms, (ms) => `metered: ${ms.toFixed(2)} ms added at p99`),
    );
  if (hostile !== null)
    verdicts.push(
      atMost(
        hostile.riseP99Ms,
        TARGETS.hostileRiseP99Ms,
        (ms) => `${ms.toFixed(1)} ms more at p99 for a tenant while another attacks`,
      ),
      atMost(hostile.peakMb, TARGETS.hostileMemoryMb, (mb) => `${mb.toFixed(0)} MB of memory under attack`),
    );
  return verdicts;
}

function judgeGrowth(growth: Figures['growth']): Verdict[] {
  if (growth === null) return [];
  const rows = { keys: growth.keys, 'past requests': growth.pastRequests };
  return Object.entries(rows).flatMap(([name, { rows: count, costRatio, throughputRatio }]) => {
    const among = `with ${count.toLocaleString('en-US')} ${name}`;
    return [
      atMost(
        costRatio,
        TARGETS.costRatio,
        (x) => `${among}: ${x.toFixed(2)} × the processor time of a request`,
      ),
      atLeast(
        throughputRatio,
        TARGETS.throughputRatio,
        (x) => `${among}: ${x.toFixed(2)} × the requests per second`,
      ),
    ];
  });
}

function judgeLedger(books: LedgerSnapshot): Verdict {
  const { name, answered, settled, billedNanoUsd, dueNanoUsd, held, broken } = books;
  const ok = settled >= answered && billedNanoUsd === dueNanoUsd && held === 0 && broken.length === 0;
  const ledger = broken.length === 0 ? 'the ledger is right' : `wrong in the ledger: ${broken.join(', ')}`;
  const billed = `$${formatUsd(billedNanoUsd)} billed of $${formatUsd(dueNanoUsd)} due`;
  const seen = `books of ${name}: ${settled} settled of ${answered} answered, ${billed}, ${held} still held, ${ledger}`;
  return verdict(ok, seen, 'all, to the nano-dollar, none, right', true);
}

function atLeast(value: number, target: number, describe: (value: number) => string): Verdict {
  return verdict(value >= target, describe(value), `≥ ${target}`);
}

function atMost(value: number, target: number, describe: (value: number) => string): Verdict {
  return verdict(value <= target, describe(value), `≤ ${target}`);
}

function verdict(ok: boolean, seen: string, target: string, isCorrectness = false): Verdict {
  return { ok, isCorrectness, text: `${ok ? 'PASS' : 'FAIL'}  ${seen} (target ${target})` };
}
