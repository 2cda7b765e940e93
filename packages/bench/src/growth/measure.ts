import { medianRatio } from '../statistics.ts';
import type { DatabaseServer } from '../subjects/database-server.ts';
import {
  createBenchDatabase,
  type BenchDatabase,
  type GatewayUpstreams,
} from '../subjects/gateway-database.ts';
import { startGateway } from '../subjects/gateway.ts';
import type { Harness } from '../subjects/subject.ts';
import { readLedgerSnapshot, type LedgerSnapshot } from '../throughput/ledger-snapshot.ts';
import {
  measureThroughput,
  speedRatio,
  type RoundsOptions,
  type SubjectRounds,
} from '../throughput/rounds.ts';
import { seedKeys, type SeedOptions } from './seed-keys.ts';
import { seedRequests } from './seed-requests.ts';

/** The keys that are asked with, in every database; in two of them there are no others. */
export const ACTIVE_KEYS = 10;

export interface GrowthResult {
  keys: number;
  pastRequests: number;
  /** The same requests on nearly empty tables, among many keys, and after many requests. */
  few: SubjectRounds;
  manyKeys: SubjectRounds;
  manyRequests: SubjectRounds;
  books: LedgerSnapshot[];
}

export interface GrowthOptions extends RoundsOptions {
  upstreams: GatewayUpstreams;
  keys: number;
  pastRequests: number;
}

/**
 * Measures three gateways in turns, each on a separate database of the same server: one nearly empty, one with many
 * keys, one with many past requests.
 */
export async function measureGrowth(
  harness: Harness,
  server: DatabaseServer,
  options: GrowthOptions,
): Promise<GrowthResult> {
  await using resources = new AsyncDisposableStack();
  const { upstreams, keys, pastRequests, onProgress } = options;
  const seeding: SeedOptions = { signal: harness.signal, onProgress };
  const create = async (name: string) =>
    resources.use(await createBenchDatabase(server, { name, upstreams, meteredKeys: ACTIVE_KEYS }));
  const few = await create('few');
  const manyKeys = await create('many-keys');
  await seedKeys(manyKeys.db, keys - ACTIVE_KEYS, seeding);
  const manyRequests = await create('many-requests');
  await seedRequests(manyRequests.db, manyRequests.meteredKeys, pastRequests, seeding);

  const since = new Date();
  const databases: BenchDatabase[] = [few, manyKeys, manyRequests];
  const subjects = [];
  for (const database of databases) {
    const { metered } = resources.use(await startGateway(harness, database, undefined));
    subjects.push({ ...metered, name: database.name });
  }
  const [onFew, onManyKeys, onManyRequests] = await measureThroughput(harness, subjects, options);
  if (onFew === undefined || onManyKeys === undefined || onManyRequests === undefined)
    throw new Error('A database was not measured');
  const books: LedgerSnapshot[] = [];
  for (const [index, { answered }] of [onFew, onManyKeys, onManyRequests].entries()) {
    const database = databases[index];
    if (database === undefined) continue;
    onProgress(`reading the books of ${database.name}`);
    books.push(
      await readLedgerSnapshot(database, { answered, since, isUniform: true, signal: harness.signal }),
    );
  }
  return { keys, pastRequests, few: onFew, manyKeys: onManyKeys, manyRequests: onManyRequests, books };
}

/** How much more processor time a request takes, that of the database included, and how many fewer come through. */
export function computeGrowth(
  many: SubjectRounds,
  few: SubjectRounds,
): { costRatio: number; throughputRatio: number } {
  const costs = (result: SubjectRounds) => result.rounds.map(({ ownUs, workersUs }) => ownUs + workersUs);
  return {
    costRatio: medianRatio(costs(many), costs(few)),
    throughputRatio: speedRatio(many, few),
  };
}
