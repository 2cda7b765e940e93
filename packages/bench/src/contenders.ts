import { fileURLToPath } from 'node:url';
import { startAgainst } from './against/start-against.ts';
import type { Contender } from './subjects/contender.ts';
import { startDatabaseServer } from './subjects/database-server.ts';
import { createBenchDatabase, type BenchDatabase } from './subjects/gateway-database.ts';
import { describeDatabase } from './subjects/gateway.ts';
import type { Harness } from './subjects/subject.ts';

export interface Contenders extends AsyncDisposable {
  /** The working tree first, then the other commit if one is compared. */
  all: readonly Contender[];
  current: Contender;
  /** The databases of the working tree, whose books are read at the end. */
  databases: readonly BenchDatabase[];
  /** Name of the other commit; null: none. */
  against: string | null;
}

/** @throws Error if the other commit cannot be installed or a database server does not start */
export async function startContenders(harness: Harness, commit: string | undefined): Promise<Contenders> {
  await using resources = new AsyncDisposableStack();
  const server = resources.use(await startDatabaseServer(harness.dir));
  const databases: BenchDatabase[] = [];
  const made = resources.use(new AsyncDisposableStack());
  const current: Contender = {
    source: harness.api,
    checkout: fileURLToPath(new URL('../../..', import.meta.url)),
    async createDatabase(options) {
      const database = made.use(await createBenchDatabase(server, options));
      databases.push(database);
      return describeDatabase(database);
    },
  };
  const other = commit === undefined ? null : resources.use(await startAgainst(harness, commit));
  const owned = resources.move();
  return {
    all: other === null ? [current] : [current, other],
    current,
    databases,
    against: other?.source.name ?? null,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
