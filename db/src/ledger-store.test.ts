import { createTestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { requestRecord } from '@tollgate/testing/ledger-records';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from './client.ts';
import { openLedgerStore } from './ledger-store.ts';

it('waits until its writes are on the disk, even if the database commits asynchronously by default', async () => {
  await using database = await createTestDatabase();
  const { db } = database;
  const { accountId } = await createAccountFixture(db);
  const { key } = await createKeyFixture(db, accountId);
  const name = new URL(database.url).pathname.slice(1);
  await db.sql.unsafe(`
    ALTER DATABASE "${name}" SET synchronous_commit = off;
    CREATE TABLE seen (setting text);
    CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO seen VALUES (current_setting('synchronous_commit'));
      RETURN NULL;
    END $$;
    CREATE TRIGGER see AFTER INSERT ON requests FOR EACH ROW EXECUTE FUNCTION see();`);
  const store = openLedgerStore(database.url);
  onTestFinished(() => store.close());
  const record = requestRecord({ accountId, keyId: key.id });
  await store.commit({ replicaId: 'rep_test', settlements: [record], holds: [], isRetry: false });
  expect(await db.sql`SELECT setting FROM seen`).toEqual([{ setting: 'on' }]);
  const later = openDatabase(database.url, { maxConnections: 1 });
  onTestFinished(() => later.close());
  expect(await later.sql`SHOW synchronous_commit`).toEqual([{ synchronous_commit: 'on' }]);
});
