import { measureFootprint } from './footprint/measure.ts';
import { measureBodies, measureSse, type Scenario } from './bodies/measure.ts';
import { startContenders } from './contenders.ts';
import type { BenchOptions, CONTENDER_PARTS } from './options.ts';
import type { BenchResult } from './result.ts';
import { measurePeers } from './peers/measure.ts';
import { measureSingle } from './single/measure.ts';
import { measureStall } from './stall/measure.ts';
import { startInstantUpstream } from './subjects/instant-upstream.ts';
import type { Harness } from './subjects/subject.ts';
import { measureWorkers } from './workers/measure.ts';
import { readLedgerSnapshot, type LedgerSnapshot } from './throughput/ledger-snapshot.ts';

type ContenderPart = (typeof CONTENDER_PARTS)[number];
type ContenderResult = Pick<BenchResult, ContenderPart | 'against' | 'books' | 'failures'>;

/** Nothing of this was asked for. */
export const NO_CONTENDERS: ContenderResult = {
  bodies: null,
  sse: null,
  stall: null,
  single: null,
  footprint: null,
  workers: null,
  peers: null,
  failures: [],
  against: null,
  books: [],
};

const QUICK_WARMUP_SECONDS = 1;

/** Measures the working tree, in turns with another commit if one is named. Each part has new processes and databases. */
export async function runContenders(
  harness: Harness,
  options: BenchOptions,
  onProgress: (line: string) => void,
): Promise<ContenderResult> {
  onProgress('starting the upstream and the database');
  await using contenders = await startContenders(harness, options.against);
  await using upstream = await startInstantUpstream();
  const { all, databases, against } = contenders;
  const since = new Date();
  const failures: string[] = [];
  /** What fails is reported with the results of the other parts. */
  const part = async <T>(name: ContenderPart, measure: () => Promise<T>): Promise<T | null> => {
    if (!options.parts.has(name)) return null;
    try {
      return await measure();
    } catch (error) {
      harness.signal.throwIfAborted();
      failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      return null;
    }
  };
  const warmupSeconds = options.quick ? QUICK_WARMUP_SECONDS : options.warmupSeconds;
  const load = { ...options, warmupSeconds, upstream, onProgress };
  const stallLoad = { ...load, warmupSeconds: STALL_WARMUP_SECONDS };
  const result = {
    bodies: await part('bodies', () => measureBodies(harness, all, load)),
    sse: await part('sse', () => measureSse(harness, all, load)),
    stall: await part('stall', () => measureStall(harness, all, stallLoad)),
    single: await part('single', () => measureSingle(harness, all, load)),
    footprint: await part('footprint', () => measureFootprint(harness, all, load)),
    workers: await part('workers', () => measureWorkers(harness, contenders.current, load)),
    peers:
      options.peers.length === 0
        ? null
        : await part('peers', () => measurePeers(harness, contenders.current, load)),
  };
  const books: LedgerSnapshot[] = [];
  for (const database of databases) {
    const scenarios = { bodies: result.bodies, sse: result.sse }[database.name];
    if (scenarios === undefined || scenarios === null) continue;
    const answered = countMetered(scenarios);
    onProgress(`reading the books of ${database.name}`);
    books.push(
      await readLedgerSnapshot(database, { answered, since, isUniform: false, signal: harness.signal }),
    );
  }
  return { ...result, against, books, failures };
}

/** A load runs for so long before its delays count: code is compiled and buffers have grown. */
const STALL_WARMUP_SECONDS = 1;

function countMetered(scenarios: readonly Scenario[]): number {
  return scenarios
    .flatMap(({ results }) => results)
    .filter(({ name }) => name === 'metered')
    .reduce((sum, { answered }) => sum + answered, 0);
}
