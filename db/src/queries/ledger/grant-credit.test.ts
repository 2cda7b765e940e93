import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createAccountFixture } from '@tollgate/testing/factories';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditLog } from '../../schema/audit-log.ts';
import { balances, ledgerEntries } from '../../schema/ledger.ts';
import { inTransaction } from '../../transaction.ts';
import { addPlan, setAccountPlan } from '../plans/plans.ts';
import { markEmailVerified } from '../users/verify-email.ts';
import { changeUserEmail } from '../users/users.ts';
import { adjustBalance, grantIncludedCredit } from './grant-credit.ts';

const USD = 1_000_000_000n;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

async function readBalance(accountId: string) {
  const [balance] = await database.db.drizzle
    .select()
    .from(balances)
    .where(eq(balances.accountId, accountId));
  const entries = await database.db.drizzle
    .select()
    .from(ledgerEntries)
    .where(eq(ledgerEntries.accountId, accountId))
    .orderBy(ledgerEntries.id);
  return { available: balance?.availableNanoUsd, entries };
}

describe('the credit that a plan includes', () => {
  it('is granted with an account whose email is verified from the start', async () => {
    const { accountId } = await createAccountFixture(database.db, { planId: 'free' });
    const { available, entries } = await readBalance(accountId);
    expect(available).toBe(USD);
    expect(entries).toMatchObject([
      {
        kind: 'credit',
        debit: 'credits',
        credit: 'wallet',
        amountNanoUsd: USD,
        reason: 'Included in the free plan',
      },
    ]);
  });

  it('is granted when the email is verified, and only once', async () => {
    const { user, accountId } = await createAccountFixture(database.db, { planId: 'free', verified: false });
    expect(await readBalance(accountId)).toEqual({ available: 0n, entries: [] });
    expect(await grantIncludedCredit(database.db, { accountId })).toBe(0n);
    const verification = { user, at: new Date(), passwordHash: user.passwordHash };
    await inTransaction(database.db, (tx) => markEmailVerified(tx, verification));
    await inTransaction(database.db, (tx) => markEmailVerified(tx, verification));
    expect(await readBalance(accountId)).toMatchObject({ available: USD, entries: { length: 1 } });
  });

  it('is granted when the person verifies another address than at sign-up', async () => {
    const { user, accountId } = await createAccountFixture(database.db, { planId: 'free', verified: false });
    const change = { user, email: 'verified@example.com', verifiedAt: new Date() };
    await inTransaction(database.db, (tx) => changeUserEmail(tx, change));
    expect(await readBalance(accountId)).toMatchObject({ available: USD });
  });

  it('is granted once per plan, however often an account changes plans, also concurrently', async () => {
    await addPlan(database.db, { id: 'generous', includedCreditNanoUsd: 5n * USD });
    const { accountId } = await createAccountFixture(database.db, { planId: 'standard' });
    const moves = ['generous', 'standard', 'free', 'generous', 'free'].flatMap((planId) =>
      Array.from({ length: 4 }, () => setAccountPlan(database.db, { accountId, planId, actorUserId: null })),
    );
    const granted = (await Promise.all(moves)).map((move) => (move.ok ? move.grantedNanoUsd : 0n));
    expect(granted.reduce((sum, amount) => sum + amount)).toBe(6n * USD);
    expect(await readBalance(accountId)).toMatchObject({ available: 6n * USD, entries: { length: 2 } });
  });
});

describe('adjustBalance', () => {
  const reason = 'they asked nicely';

  it('gives and takes an amount, and stores the reason', async () => {
    const { accountId } = await createAccountFixture(database.db);
    const change = { accountId, reason, actorUserId: null };
    expect(await adjustBalance(database.db, { ...change, amountNanoUsd: 3n * USD })).toEqual({
      ok: true,
      isNew: true,
    });
    expect(await adjustBalance(database.db, { ...change, amountNanoUsd: -USD })).toEqual({
      ok: true,
      isNew: true,
    });
    const { available, entries } = await readBalance(accountId);
    expect(available).toBe(2n * USD);
    expect(entries).toMatchObject([
      { kind: 'credit', debit: 'credits', credit: 'wallet', amountNanoUsd: 3n * USD, reason },
      { kind: 'adjustment', debit: 'wallet', credit: 'adjustments', amountNanoUsd: USD, reason },
    ]);
    const audit = await database.db.drizzle.select().from(auditLog).where(eq(auditLog.subject, accountId));
    expect(audit.map((row) => row.detail)).toEqual([
      { amountNanoUsd: '3000000000', reason },
      { amountNanoUsd: '-1000000000', reason },
    ]);
  });

  it('takes nothing that is held for requests in flight', async () => {
    const { accountId } = await createAccountFixture(database.db);
    const change = { accountId, reason, actorUserId: null };
    await adjustBalance(database.db, { ...change, amountNanoUsd: 2n * USD });
    await database.db.drizzle
      .update(balances)
      .set({ heldNanoUsd: USD })
      .where(eq(balances.accountId, accountId));
    expect(await adjustBalance(database.db, { ...change, amountNanoUsd: -USD - 1n })).toEqual({
      ok: false,
      reason: 'not_enough',
      availableNanoUsd: 2n * USD,
      heldNanoUsd: USD,
    });
    expect(await adjustBalance(database.db, { ...change, amountNanoUsd: -USD })).toEqual({
      ok: true,
      isNew: true,
    });
  });

  it('takes no more than the balance if many adjustments run at the same time', async () => {
    const { accountId } = await createAccountFixture(database.db);
    const change = { accountId, reason, actorUserId: null };
    await adjustBalance(database.db, { ...change, amountNanoUsd: 5n * USD });
    const taken = await Promise.all(
      Array.from({ length: 20 }, () => adjustBalance(database.db, { ...change, amountNanoUsd: -USD })),
    );
    expect(taken.filter((result) => result.ok)).toHaveLength(5);
    expect(await readBalance(accountId)).toMatchObject({ available: 0n });
  });
});
