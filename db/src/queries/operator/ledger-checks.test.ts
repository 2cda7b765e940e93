import { createTestDatabase } from '@tollgate/testing/database';
import { expect, it } from 'vitest';
import { findNewestLedgerCheck, finishLedgerCheck, startLedgerCheck } from './ledger-checks.ts';

it('a check keeps its first result, because its job may run twice', async () => {
  await using database = await createTestDatabase();
  const { db } = database;
  await db.sql`INSERT INTO users (id, email, password_hash) VALUES ('user_1', 'a@example.com', 'x')`;
  const id = (await startLedgerCheck(db, 'user_1')) ?? '';
  expect(await startLedgerCheck(db, 'user_1')).toBeNull();
  await finishLedgerCheck(db, id, { findings: [] });
  const first = await findNewestLedgerCheck(db);
  expect(first).toMatchObject({ id, startedBy: 'a@example.com', report: { findings: [] } });
  await finishLedgerCheck(db, id, null);
  expect(await findNewestLedgerCheck(db)).toEqual(first);
});
