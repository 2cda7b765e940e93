import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { createSealer } from '@tollgate/auth/seal';
import type { Database } from '@tollgate/db/client';
import { putModel } from '@tollgate/db/queries/models/models';
import { addProvider } from '@tollgate/db/queries/providers/providers';
import { addRoute } from '@tollgate/db/queries/catalogue/routes';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { headersContext } from '@tollgate/upstreams/credential/open-credential';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LiveCatalogue } from './live-catalogue.ts';

const PRICES = {
  inputNanoUsdPerMtok: 1n,
  outputNanoUsdPerMtok: 1n,
  cacheReadNanoUsdPerMtok: null,
  cacheWriteNanoUsdPerMtok: null,
  cacheWrite1hNanoUsdPerMtok: null,
};

describe('the headers of a provider', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    await putModel(database.db, { id: 'm', facts: {}, prices: PRICES, now: new Date(0) });
  });
  afterAll(() => database[Symbol.asyncDispose]());

  const sealer = createSealer(randomBytes(32).toString('base64'));

  /** The headers that the model's first route sends with every request; null: no route. */
  async function headersOfRoute(used = sealer): Promise<readonly string[] | null> {
    const catalogue = new LiveCatalogue({
      db: database.db,
      sealer: used,
      log: pino({ level: 'silent' }),
      environmentCredentials: { THEIR_KEY: 'key-of-the-environment' },
    });
    await catalogue.load();
    return catalogue.current.get('m')?.routes[0]?.ends[0].headers ?? null;
  }

  it('are sent with its key, also one from the environment, and with no other key than the one they were sealed with', async () => {
    const { db } = database;
    const headers = JSON.stringify({ 'x-team': 'blue', 'openai-organization': 'org-1' });
    await addProvider(db, {
      id: 'prov_1',
      name: 'one',
      dialect: 'openai-chat',
      baseUrl: 'https://one.example/v1',
      credentialSealed: null,
      headersSealed: sealer.seal(headers, headersContext('prov_1')),
      headerNames: ['openai-organization', 'x-team'],
    });
    await db.sql`UPDATE providers SET credential_env = 'THEIR_KEY' WHERE id = 'prov_1'`;
    await addRoute(db, { modelId: 'm', providerName: 'one', upstreamModel: null, priority: 0, weight: 1 });
    const sent = await headersOfRoute();
    expect(sent?.join(' ')).toContain('x-team blue openai-organization org-1');
    expect(sent).toContain('Bearer key-of-the-environment');
    expect(await headersOfRoute(createSealer(randomBytes(32).toString('base64')))).toBeNull();
    // Moved to another row they cannot be opened: they are sealed for that provider.
    await db.sql`UPDATE providers SET headers_sealed = ${sealer.seal(headers, headersContext('prov_2'))}`;
    expect(await headersOfRoute()).toBeNull();
  });
});

it('keeps what a later read has found when an earlier one ends after it', async () => {
  await using database = await createTestDatabase();
  const { db } = database;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: hasRead, resolve: noteRead } = Promise.withResolvers<void>();
  const waits = [released];
  const drizzle = Object.create(db.drizzle) as typeof db.drizzle;
  drizzle.transaction = async (...read) => {
    const rows = await db.drizzle.transaction(...read);
    noteRead();
    await waits.shift();
    return rows;
  };
  const log = pino({ level: 'silent' });
  const sealer = createSealer(randomBytes(32).toString('base64'));
  const catalogue = new LiveCatalogue({ db: { ...db, drizzle }, sealer, log, environmentCredentials: {} });
  const earlier = catalogue.load();
  await hasRead;
  await putModel(db, { id: 'm', facts: {}, prices: PRICES, now: new Date(0) });
  await catalogue.load();
  release();
  await earlier;
  expect([...catalogue.current.keys()]).toEqual(['m']);
});

it('is read a few times while it changes often, then once more, and not after it was stopped', async () => {
  let reads = 0;
  const rows = { providers: [], credentials: [], models: [], prices: [], routes: [], fallbacks: [] };
  const transaction = async () => {
    reads += 1;
    await setTimeout(20);
    return rows;
  };
  const catalogue = new LiveCatalogue({
    db: { drizzle: { transaction } } as unknown as Database,
    sealer: createSealer(randomBytes(32).toString('base64')),
    log: pino({ level: 'silent' }),
    environmentCredentials: {},
  });
  const startedAtMs = performance.now();
  while (performance.now() - startedAtMs < 250) {
    catalogue.refresh();
    await setTimeout(1);
  }
  // Each takes 20 ms, and is followed by a pause of four times as long.
  const whileChanging = reads;
  expect(whileChanging).toBeLessThanOrEqual(4);
  await expect.poll(() => reads).toBe(whileChanging + 1);
  catalogue.refresh();
  catalogue.stop();
  catalogue.refresh();
  const beforeStop = reads;
  await setTimeout(150);
  expect(reads).toBe(beforeStop);
});
