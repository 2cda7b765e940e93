import type { Agent } from 'node:http';
import { createTestDatabase } from '@tollgate/testing/database';
import { startPostgres, type PostgresServer } from '@tollgate/testing/postgres-server';
import { hasRedisServer, NO_REDIS_MESSAGE, startRedis, type TestRedis } from '@tollgate/testing/redis-server';
import { startFleet, type ApiFleet } from './api-fleet.ts';
import { openSockets } from './ask.ts';
import { setScene, type Scene } from './scene.ts';

/** Several api processes on one database, paying accounts, and a provider with a meter. */
export interface LedgerHarness extends AsyncDisposable {
  scene: Scene;
  fleet: ApiFleet;
  agent: Agent;
  /** null: Redis is not installed, and each process counts limits separately. */
  redis: TestRedis | null;
}

/** A cluster on a test's database, which cannot be killed. */
export async function openLedgerHarness(processes: number): Promise<LedgerHarness> {
  return openOn(await createTestDatabase(), processes);
}

/** A cluster on a separate PostgreSQL, which can be killed. */
export async function createKillableCluster(
  processes: number,
): Promise<LedgerHarness & { postgres: PostgresServer }> {
  const postgres = await startPostgres();
  return { ...(await openOn(postgres, processes)), postgres };
}

async function openOn(
  database: AsyncDisposable & { url: string },
  processes: number,
): Promise<LedgerHarness> {
  const agent = openSockets();
  const redis = hasRedisServer ? await startRedis() : null;
  if (redis === null) process.stdout.write(`${NO_REDIS_MESSAGE}: limits of several processes\n`);
  const scene = await setScene(database.url);
  const fleet = await startFleet({ processes, databaseUrl: database.url, redisUrl: redis?.url ?? null });
  return {
    scene,
    fleet,
    agent,
    redis,
    async [Symbol.asyncDispose]() {
      agent.destroy();
      await fleet[Symbol.asyncDispose]();
      await redis?.[Symbol.asyncDispose]();
      await scene[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}
