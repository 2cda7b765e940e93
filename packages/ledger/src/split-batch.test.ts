import { LedgerStoreError } from '@tollgate/core/money/ledger';
import { createTestDatabase } from '@tollgate/testing/database';
import { requestRecord } from '@tollgate/testing/ledger-records';
import { expect, it, vi } from 'vitest';
import { createDirectory, createOwner, readStanding } from './testing/ledger-harness.ts';
import { openCommits } from './testing/open-commits.ts';

it('a settlement is in the spool once if the database goes away while its batch is split', async () => {
  await using database = await createTestDatabase();
  const owner = await createOwner(database.db);
  using directory = createDirectory();
  const { commits, close, store } = openCommits(database.url, directory.path);
  let isProbed = false;
  store.before = ({ settlements }) => {
    if (settlements.length === 0 && isProbed) return;
    const kind = settlements.length > 1 ? 'rejected' : 'unavailable';
    throw new LedgerStoreError(kind, new Error('out of order'));
  };
  const records = [requestRecord(owner), requestRecord(owner)];
  for (const record of records) commits.settle(record);
  const copies = () => {
    const lines = directory.read(/ndjson/).split('\n');
    return records.map(({ id }) => lines.filter((line) => line.includes(id)).length);
  };
  await vi.waitFor(() => expect(copies()).toEqual([1, 1]), { timeout: 5_000 });
  // The same happens when it is read from the spool.
  isProbed = true;
  const splits = () => store.batches.filter(({ settlements }) => settlements.length > 1).length;
  const before = splits();
  await vi.waitFor(() => expect(splits()).toBeGreaterThan(before + 1), { timeout: 5_000 });
  expect(copies()).toEqual([1, 1]);
  store.before = () => undefined;
  await vi.waitFor(async () => expect((await readStanding(database.db, owner)).spent).toBe(2_000n), {
    timeout: 5_000,
  });
  await close();
  expect(copies()).toEqual([0, 0]);
});
