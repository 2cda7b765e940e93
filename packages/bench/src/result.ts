import type { FootprintRounds } from './footprint/measure.ts';
import type { PeerResult } from './peers/measure.ts';
import type { SingleRounds } from './single/measure.ts';
import type { WorkersResult } from './workers/measure.ts';
import type { Scenario } from './bodies/measure.ts';
import type { GrowthResult } from './growth/measure.ts';
import type { HostileResult } from './hostile/measure.ts';
import type { LatencyRounds } from './latency/measure.ts';
import type { StallRounds } from './stall/measure.ts';
import type { StreamRounds } from './streams/measure.ts';
import type { LedgerSnapshot } from './throughput/ledger-snapshot.ts';
import type { SubjectRounds } from './throughput/rounds.ts';
import type { TranslationResult } from './translation/measure.ts';

/** All that was measured; a part that was not asked for is null. */
export interface BenchResult {
  throughput: SubjectRounds[] | null;
  streams: StreamRounds[] | null;
  translation: TranslationResult | null;
  metered: SubjectRounds[] | null;
  latency: LatencyRounds[] | null;
  hostile: HostileResult[] | null;
  growth: GrowthResult | null;
  bodies: Scenario[] | null;
  sse: Scenario[] | null;
  stall: StallRounds[] | null;
  single: SingleRounds[] | null;
  footprint: FootprintRounds[] | null;
  workers: WorkersResult | null;
  peers: PeerResult[] | null;
  /** Parts that could not be measured to their end, and why. */
  failures: readonly string[];
  /** The commit that was compared; null: none. */
  against: string | null;
  /** Of every database in which metered requests were made. */
  books: LedgerSnapshot[];
  /** Requests to the gateway, metered or not, that clients saw completed, and requests in its usage tables. */
  answered: number;
  recorded: number;
  /** Share of the two cores that was in use while the benchmark did nothing, before or after: the larger. */
  backgroundLoad: number;
  /** Resident memory of the gateway that others are compared with, in MB: as started, and after everything; null: not started. */
  gatewayMemoryMb: { started: number; end: number } | null;
}

/** @throws Error where nothing of this name was measured */
export function getNamed<T extends { name: string }>(results: readonly T[], name: string): T {
  const found = results.find((result) => result.name === name);
  if (found === undefined) throw new Error(`${name} was not measured`);
  return found;
}
