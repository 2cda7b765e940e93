import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createAccountFixture } from '@tollgate/testing/factories';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '../../transaction.ts';
import { addTaxRate } from '../documents/tax-rates.ts';
import { claimMaximaReached } from './auto-top-up-maximum.ts';
import { setTaxMode } from './price-top-up.ts';

const NOW = new Date('2026-11-20T12:00:00Z');

describe('accounts that reach the maximum of automatic top-ups', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database[Symbol.asyncDispose]());

  /** An account with automatic top-ups of $10. */
  async function createPayer(maxCents: number, country: string | null = null): Promise<string> {
    const { db } = database;
    const { accountId, user } = await createAccountFixture(db, { planId: 'standard' });
    await db.sql`
      INSERT INTO auto_top_ups (account_id, enabled, threshold_nano_usd, amount_cents, monthly_max_cents)
      VALUES (${accountId}, true, 5000000000, 1000, ${maxCents})`;
    if (country !== null)
      await db.sql`
        INSERT INTO billing_details (account_id, company_name, address, country, tax_id)
        VALUES (${accountId}, ${user.email}, '', ${country}, '')`;
    return accountId;
  }
  const claim = async (limit = 100) =>
    inTransaction(database.db, async (tx) => claimMaximaReached(tx, { now: NOW, limit }));
  async function addTaxes() {
    const { db } = database;
    const { user } = await createAccountFixture(db, { isOperator: true });
    await setTaxMode(db, { taxMode: 'on_top', now: NOW, actorUserId: user.id });
    for (const [country, ratePpm] of [[null, 200_000] as const, ['CH', 81_000] as const])
      await addTaxRate(db, {
        rate: { name: 'VAT', ratePpm, country, reverseCharge: false },
        actorUserId: null,
      });
  }

  it('are taken in parts, each once a month', async () => {
    const reached = [await createPayer(999), await createPayer(999), await createPayer(999)];
    await createPayer(1_000);
    const taken = [await claim(2), await claim(2), await claim(2)];
    expect(taken.map(({ length }) => length)).toEqual([2, 1, 0]);
    expect(
      taken
        .flat()
        .map(({ accountId }) => accountId)
        .toSorted(),
    ).toEqual(reached.toSorted());
    expect(taken[0]?.[0]).toMatchObject({ amountCents: 1_000, maxCents: 999 });
  });

  it('are counted with the taxes of their country, behind any number of accounts that stay below', async () => {
    await addTaxes();
    for (let payers = 0; payers < 3; payers++) await createPayer(1_081, 'CH');
    const german = await createPayer(1_199, 'DE');
    const swiss = await createPayer(1_080, 'CH');
    await createPayer(1_200);
    const taken = [...(await claim(1)), ...(await claim(1)), ...(await claim(1))];
    expect(taken).toHaveLength(2);
    expect(taken).toContainEqual({ accountId: german, amountCents: 1_200, maxCents: 1_199 });
    expect(taken).toContainEqual({ accountId: swiss, amountCents: 1_081, maxCents: 1_080 });
  });

  it.each(['included', 'on_top'] as const)(
    'are the only ones that are locked, with taxes %s',
    async (taxMode) => {
      if (taxMode === 'on_top') await addTaxes();
      const below = [await createPayer(1_900, 'CH'), await createPayer(1_100, 'CH')];
      await createPayer(900);
      await inTransaction(database.db, async (tx) => {
        await claimMaximaReached(tx, { now: NOW, limit: 100 });
        const free = await database.db.sql<{ id: string }[]>`
          SELECT account_id AS id FROM auto_top_ups FOR UPDATE SKIP LOCKED`;
        expect(free.map(({ id }) => id).toSorted()).toEqual(below.toSorted());
      });
    },
  );

  it('cost few queries, however many they are', async () => {
    const { db } = database;
    await db.sql`
      INSERT INTO accounts (id, name, plan_id)
      SELECT 'acct_' || n, 'Account ' || n, 'standard' FROM generate_series(1, 3000) AS n`;
    await db.sql`
      INSERT INTO auto_top_ups (account_id, enabled, threshold_nano_usd, amount_cents, monthly_max_cents)
      SELECT 'acct_' || n, true, 0, 1000, CASE WHEN n % 1000 = 0 THEN 900 ELSE 1100 END
      FROM generate_series(1, 3000) AS n`;
    await addTaxes();
    await db.sql`
      INSERT INTO billing_details (account_id, company_name, address, country, tax_id)
      SELECT 'acct_' || n, '', '', 'CH', '' FROM generate_series(1, 3000) AS n`;
    const [queries, taken] = await inTransaction(db, async (tx) => {
      let sent = 0;
      const drizzle = new Proxy(tx.drizzle, {
        get(target, name) {
          if (name === 'select' || name === 'update') sent++;
          const member: unknown = Reflect.get(target, name);
          return typeof member === 'function' ? (member.bind(target) as unknown) : member;
        },
      });
      const result = await claimMaximaReached({ ...tx, drizzle }, { now: NOW, limit: 100 });
      return [sent, result] as const;
    });
    expect(taken).toHaveLength(3);
    expect(queries).toBeLessThan(10);
  });
});
