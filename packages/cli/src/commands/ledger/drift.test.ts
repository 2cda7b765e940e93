import { commitBatch } from '@tollgate/testing/commit-batch';
import { createTestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { requestRecord } from '@tollgate/testing/ledger-records';
import { expect, it } from 'vitest';
import { createTollgate } from '../../testing/run-tollgate.ts';

it('tollgate ledger drift exits with 1 if costs differ by more than 1%', async () => {
  await using database = await createTestDatabase();
  const tollgate = createTollgate({ DATABASE_URL: database.url });
  const none = await tollgate('ledger drift');
  expect([none.code, none.stdout]).toEqual([0, 'No provider reported a cost in the last 7 days\n']);

  const { accountId } = await createAccountFixture(database.db, { planId: 'internal' });
  const owner = { accountId, keyId: (await createKeyFixture(database.db, accountId)).key.id };
  const settle = (model: string, reportedCostNanoUsd: bigint) =>
    commitBatch(database.db, {
      settlements: [requestRecord(owner, { model, priceId: 1, costNanoUsd: 10_000n, reportedCostNanoUsd })],
    });
  await settle('close', 10_100n);
  expect((await tollgate('ledger drift')).code).toBe(0);
  await settle('off', 10_200n);
  const { code, stdout } = await tollgate('ledger drift');
  expect(code).toBe(1);
  expect(stdout).toMatch(/^DRIFT +off .*\+1\.96%/m);
  expect(stdout).toMatch(/^OK +close .*\+0\.99%/m);

  await database.db.sql`UPDATE requests SET started_at = started_at - interval '3 days'`;
  expect((await tollgate('ledger drift --days 3')).stdout).toBe(
    'No provider reported a cost in the last 3 days\n',
  );
  expect((await tollgate('ledger drift --days 4')).code).toBe(1);
  expect((await tollgate('ledger drift')).code).toBe(1);
});
