import { randomBytes } from 'node:crypto';
import { verifyLedger } from '@tollgate/db/queries/ledger/verify';
import { createTestDatabase } from '@tollgate/testing/database';
import { expect, it } from 'vitest';
import { createBenchDatabase } from '../subjects/gateway-database.ts';
import { seedKeys } from './seed-keys.ts';
import { seedRequests } from './seed-requests.ts';

const NOWHERE = 'http://127.0.0.1:1/v1';
const UPSTREAMS = { instant: NOWHERE, streams: NOWHERE, firstByte: NOWHERE, delayed: NOWHERE };
const QUIETLY = { signal: new AbortController().signal, onProgress: () => undefined };

it('fills the tables with keys and past requests whose books are right', async () => {
  await using own = await createTestDatabase();
  const server = {
    createDatabase: () => Promise.resolve(own.url),
    encryptionKey: randomBytes(32).toString('base64'),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  await using database = await createBenchDatabase(server, {
    name: 'seeded',
    upstreams: UPSTREAMS,
    meteredKeys: 3,
  });
  await seedKeys(database.db, 25, QUIETLY);
  await seedRequests(database.db, database.meteredKeys, 1_000, QUIETLY);

  const { findings, counted } = await verifyLedger(database.db, { recompute: null });
  expect(findings).toEqual([]);
  // 3 of the seeded keys' accounts, 3 metered ones and the free one.
  expect(counted).toMatchObject({ accounts: 7, keys: 29, requests: 1_000, held: 0, unpostedNanoUsd: 0n });
  expect(counted.hours).toBeGreaterThan(400);
});
