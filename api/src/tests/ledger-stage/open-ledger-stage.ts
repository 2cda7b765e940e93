import type { Agent } from 'node:http';
import { createTestDatabase } from '@tollgate/testing/database';
import { startPostgres, type PostgresServer } from '@tollgate/testing/postgres-server';
import { startFleet, type ApiFleet } from './api-fleet.ts';
import { openSockets } from './ask.ts';
import { setScene, type Scene } from './scene.ts';

/** Several processes of the api on one database, somebody who pays, and a provider with a meter. */
export interface LedgerStage extends AsyncDisposable {
  scene: Scene;
  fleet: ApiFleet;
  agent: Agent;
}

/** A stage on the database of a test, which does not die. */
export async function openLedgerStage(processes: number): Promise<LedgerStage> {
  const database = await createTestDatabase();
  return openOn(database, { processes, redisUrl: null });
}

/** A stage on a PostgreSQL of its own, which can be killed. */
export async function openMortalStage(
  processes: number,
): Promise<LedgerStage & { postgres: PostgresServer }> {
  const postgres = await startPostgres();
  const stage = await openOn(postgres, { processes, redisUrl: null });
  return { ...stage, postgres };
}

async function openOn(
  database: AsyncDisposable & { url: string },
  { processes, redisUrl }: { processes: number; redisUrl: string | null },
): Promise<LedgerStage> {
  const agent = openSockets();
  const scene = await setScene(database.url);
  const fleet = await startFleet({ processes, databaseUrl: database.url, redisUrl });
  return {
    scene,
    fleet,
    agent,
    async [Symbol.asyncDispose]() {
      agent.destroy();
      await fleet[Symbol.asyncDispose]();
      await scene[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}
