import { randomBytes } from 'node:crypto';
import { createId } from '@tollgate/core/runtime/ids';
import { postLedgerEntry } from '@tollgate/db/queries/ledger/post-entry';
import { verifyLedger } from '@tollgate/db/queries/ledger/verify';
import { accounts } from '@tollgate/db/schema/accounts';
import { apiKeys, keyTotals } from '@tollgate/db/schema/api-keys';
import { balances, ledgerEntries } from '@tollgate/db/schema/ledger';
import { requests, usageHourly } from '@tollgate/db/schema/requests';
import { createTestDatabase } from '@tollgate/testing/database';
import { and, eq, inArray, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ledgerCommands } from './testing/ledger-commands.ts';
import { LedgerModel, type ModelKey } from './testing/ledger-model.ts';
import { forget, post, recover, type RealLedger } from './testing/real-ledger.ts';

const RUNS = Number(process.env['LEDGER_MODEL_RUNS'] ?? 200);
const COMMANDS = 30;
/** Runs per database. Full verification of a small database is fast. */
const RUNS_PER_DATABASE = Math.min(500, Math.ceil(RUNS / 2));
/** Excludes checks on deleted keys, whose spending is unknown. */
const OF_DELETED_KEYS: readonly string[] = ['key_spent', 'key_account'];
const MS_PER_RUN = 400;
/** For the keys of an account. */
const CAPS = [null, 4_000n, 9_000n];

describe('the ledger and its model', () => {
  it(
    'agree after every order of admissions, settlements, crashes, payments and late truths',
    async () => {
      const seen = new Map<string, number>();
      const startedAtMs = performance.now();
      for (let done = 0; done < RUNS; done += RUNS_PER_DATABASE) {
        const runs = Math.min(RUNS_PER_DATABASE, RUNS - done);
        const deletesKeys = (done / RUNS_PER_DATABASE) % 2 === 1;
        expect(await runInOneDatabase({ runs, deletesKeys, seen })).toEqual({ findings: [], held: 0 });
      }
      const seconds = ((performance.now() - startedAtMs) / 1_000).toFixed(1);
      const figures = [...seen].map(([what, count]) => `${what} ${count}`).join(', ');
      process.stdout.write(`${RUNS} runs of the ledger's model in ${seconds} s: ${figures}\n`);
    },
    30_000 + RUNS * MS_PER_RUN,
  );
});

/** @returns findings of the ledger verification at the end, and the number of remaining holds */
async function runInOneDatabase({ runs, deletesKeys, seen }: OneDatabase) {
  await using database = await createTestDatabase();
  const { db } = database;
  const property = fc.asyncProperty(
    fc.nat(20_000),
    ledgerCommands(COMMANDS, { deletesKeys }),
    async (credit, commands) => {
      const model = await createModel(db, BigInt(credit));
      const { accountId } = model;
      const replicaIds = [`${accountId} a`, `${accountId} b`] as const;
      const real: RealLedger = { db, replicaIds, silent: new Set(), serial: 0, seen };
      await fc.asyncModelRun(() => ({ model, real }), commands);
      await compare(model, real);
      await settleAll(model, real);
      await compare(model, real);
    },
  );
  await fc.assert(property, { numRuns: runs });
  const { findings, counted } = await verifyLedger(db, { recompute: 0 });
  const expected = deletesKeys ? OF_DELETED_KEYS : [];
  return { findings: findings.filter(({ check }) => !expected.includes(check)), held: counted.held };
}

interface OneDatabase {
  runs: number;
  deletesKeys: boolean;
  seen: Map<string, number>;
}

/** Inserts rows directly, with only what the ledger needs. */
async function createModel({ drizzle }: RealLedger['db'], paidIn: bigint): Promise<LedgerModel> {
  const accountId = createId('acct');
  await drizzle.insert(accounts).values({ id: accountId, name: 'a model', planId: 'standard' });
  const keys = CAPS.map((cap): ModelKey => ({
    id: createId('key'),
    cap,
    isDeleted: false,
    isRevoked: false,
  }));
  const same = { accountId, name: 'a key', prefix: 'sk-xxxx', last4: 'xxxx' };
  await drizzle
    .insert(apiKeys)
    .values(keys.map(({ id, cap }) => ({ ...same, id, hash: randomBytes(32), maxBudgetNanoUsd: cap })));
  await drizzle.insert(keyTotals).values(keys.map(({ id }) => ({ keyId: id })));
  const model = new LedgerModel(accountId, keys);
  if (paidIn > 0n) {
    const books = { kind: 'top_up', debit: 'payments', credit: 'wallet' } as const;
    const entry = { accountId, ...books, amountNanoUsd: paidIn, idempotencyKey: accountId };
    await postLedgerEntry({ drizzle }, entry);
    model.paidIn = paidIn;
  }
  return model;
}

/** Marks all replicas stale, settles orphaned holds and posts all usage. */
async function settleAll(model: LedgerModel, real: RealLedger): Promise<void> {
  for (const id of real.replicaIds) real.silent.add(id);
  await forget(real);
  await recover(model, real);
  await post(model, real);
}

/** Compares all totals in the database with the model, and checks that no limit is exceeded. */
async function compare(model: LedgerModel, { db }: RealLedger): Promise<void> {
  await Promise.all([
    compareKeys(model, db),
    compareBalance(model, db),
    compareRows(model, db),
    compareSums(model, db),
  ]);
}

async function compareKeys(model: LedgerModel, db: RealLedger['db']): Promise<void> {
  const ids = model.keys.map(({ id }) => id);
  const rows = await db.drizzle.select().from(keyTotals).where(inArray(keyTotals.keyId, ids));
  for (const { id, cap, isDeleted } of model.keys) {
    const totals = rows.find(({ keyId }) => keyId === id);
    const [spent, held] = [model.getSpent(id), model.getHeld(id)];
    if (isDeleted) expect(totals).toBeUndefined();
    else expect(totals).toMatchObject({ spentNanoUsd: spent, heldNanoUsd: held });
    if (cap !== null) expect(spent + held).toBeLessThanOrEqual(cap);
  }
}

async function compareBalance(model: LedgerModel, db: RealLedger['db']): Promise<void> {
  const { accountId, available, walletHeld, isOverdrawn } = model;
  const [balance] = await db.drizzle.select().from(balances).where(eq(balances.accountId, accountId));
  expect(balance).toEqual({ accountId, availableNanoUsd: available, heldNanoUsd: walletHeld });
  if (!isOverdrawn) expect(walletHeld).toBeLessThanOrEqual(available);
}

async function compareRows(model: LedgerModel, db: RealLedger['db']): Promise<void> {
  const rows = await db.drizzle.select().from(requests).where(eq(requests.accountId, model.accountId));
  const stored = rows.map(({ id, state, recovered, costNanoUsd, operatorCostNanoUsd, heldNanoUsd }) => [
    id,
    { state: recovered ? 'guessed' : state, costNanoUsd, operatorCostNanoUsd, heldNanoUsd },
  ]);
  const modelled = [...model.rows.values()].map(({ id, state, cost, operatorCost, granted }) => [
    id,
    { state, costNanoUsd: cost, operatorCostNanoUsd: operatorCost, heldNanoUsd: granted },
  ]);
  expect(stored).toHaveLength(modelled.length);
  expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(modelled));
}

async function compareSums(model: LedgerModel, db: RealLedger['db']): Promise<void> {
  const { accountId, rows } = model;
  const ended = [...rows.values()].filter(({ state }) => state !== 'held');
  const [hours] = await db.drizzle
    .select({
      requests: sql<string>`coalesce(sum(requests), 0)`,
      errors: sql<string>`coalesce(sum(errors), 0)`,
      cost: sql<string>`coalesce(sum(cost_nano_usd), 0)`,
      operatorCost: sql<string>`coalesce(sum(operator_cost_nano_usd), 0)`,
      charged: sql<string>`coalesce(sum(charged_nano_usd), 0)`,
      posted: sql<string>`coalesce(sum(posted_nano_usd), 0)`,
    })
    .from(usageHourly)
    .where(eq(usageHourly.accountId, accountId));
  expect(hours).toEqual({
    requests: String(ended.length),
    errors: String(ended.filter(({ isError }) => isError).length),
    cost: String(ended.reduce((total, { cost }) => total + cost, 0n)),
    operatorCost: String(ended.reduce((total, { operatorCost }) => total + operatorCost, 0n)),
    charged: String(model.charged),
    posted: String(model.posted),
  });
  const [entries] = await db.drizzle
    .select({
      usage: sql<string>`coalesce(sum(CASE WHEN debit = 'wallet' THEN amount_nano_usd ELSE -amount_nano_usd END), 0)`,
    })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.accountId, accountId), eq(ledgerEntries.kind, 'usage')));
  expect(entries?.usage).toBe(String(model.posted));
}
