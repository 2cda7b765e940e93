import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createId } from '@tollgate/core/runtime/ids';
import type { LedgerBatch, LedgerCommit } from '@tollgate/core/money/ledger';
import type { Database } from '@tollgate/db/client';
import { openLedgerStore } from '@tollgate/db/ledger-store';
import { verifyLedger, type LedgerReport } from '@tollgate/db/queries/ledger/verify';
import { keyTotals } from '@tollgate/db/schema/api-keys';
import { balances } from '@tollgate/db/schema/ledger';
import { requests } from '@tollgate/db/schema/requests';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import type { RecordOwner } from '@tollgate/testing/ledger-records';
import { creditBalance } from '@tollgate/testing/credit-balance';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import type { HoldOutcome } from '../pending-hold.ts';
import type { LedgerLog, LedgerStore } from '../ledger-store.ts';
import { Ledger } from '../ledger.ts';

/** A temporary directory, removed after the test. */
export function createDirectory(): Disposable & { path: string; read(file: RegExp): string } {
  const directory = mkdtempSync(path.join(tmpdir(), 'ledger-spool-'));
  return {
    path: directory,
    read: (name) =>
      readdirSync(directory)
        .filter((file) => name.test(file))
        .map((file) => readFileSync(path.join(directory, file), 'utf8'))
        .join(''),
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** Records log messages per level. */
export function createLog(): LedgerLog & { said: (level: 'info' | 'warn' | 'error') => string[] } {
  const lines: [level: string, message: string][] = [];
  return {
    info: (_, message) => void lines.push(['info', message]),
    warn: (_, message) => void lines.push(['warn', message]),
    error: (_, message) => void lines.push(['error', message]),
    said: (level) => lines.filter(([said]) => said === level).map(([, message]) => message),
  };
}

/**
 * Expects at most one unreadable line: Linux may cut a write at a page of memory if the process is killed. No record of it
 * was reported as written.
 *
 * @param rejected lines that were kept for inspection
 * @param said IDs of the records that were reported as written
 */
export function expectTornLine(
  rejected: string,
  log: ReturnType<typeof createLog>,
  said: readonly string[],
): void {
  const torn = rejected === '' ? [] : rejected.trimEnd().split('\n');
  expect(torn.length).toBeLessThanOrEqual(1);
  expect(log.said('error')).toEqual(torn.map(() => 'a line of the spool cannot be read: it is left out'));
  expect(said.filter((id) => rejected.includes(id))).toEqual([]);
}

/** The real store with recorded batches, and hooks `before` and `after` a commit. */
export interface WatchedStore extends LedgerStore {
  batches: LedgerBatch[];
  commits: LedgerCommit[];
  /** Maximum number of concurrent commits. */
  mostAtOnce: number;
  before: (batch: LedgerBatch) => Promise<void> | void;
  afterCommit: (batch: LedgerBatch) => Promise<void> | void;
  beforeBeat: () => Promise<void> | void;
}

export function watchStore(url: string): WatchedStore {
  const store = openLedgerStore(url);
  let underWay = 0;
  const watched: WatchedStore = {
    ...store,
    batches: [],
    commits: [],
    mostAtOnce: 0,
    before: () => undefined,
    afterCommit: () => undefined,
    beforeBeat: () => undefined,
    async beat(replicaId) {
      await watched.beforeBeat();
      await store.beat(replicaId);
    },
    async commit(batch) {
      underWay += 1;
      watched.mostAtOnce = Math.max(watched.mostAtOnce, underWay);
      watched.batches.push(batch);
      try {
        await watched.before(batch);
        const commit = await store.commit(batch);
        watched.commits.push(commit);
        return commit;
      } catch (error) {
        await watched.afterCommit(batch);
        throw error;
      } finally {
        underWay -= 1;
      }
    },
  };
  return watched;
}

export interface LedgerHarness extends AsyncDisposable {
  ledger: Ledger;
  store: WatchedStore;
  log: ReturnType<typeof createLog>;
  directory: ReturnType<typeof createDirectory>;
}

/** A ledger on a database, with its spool in a new or existing directory. */
export function createHarness(
  url: string,
  {
    watch,
    directory = createDirectory(),
  }: { watch?: { beatMs: number; deadAfterMs: number }; directory?: LedgerHarness['directory'] } = {},
): LedgerHarness {
  const [store, log] = [watchStore(url), createLog()];
  const options = { store, log, spoolDirectory: directory.path };
  const ledger = new Ledger(watch === undefined ? options : { ...options, watch });
  return {
    ledger,
    store,
    log,
    directory,
    async [Symbol.asyncDispose]() {
      await ledger.close();
      directory[Symbol.dispose]();
    },
  };
}

/** A key of a new account; with credit, the account is prepaid. */
export async function createOwner(db: Database, creditNanoUsd = 0n): Promise<RecordOwner> {
  const { accountId } = await createAccountFixture(db, {
    planId: creditNanoUsd > 0n ? 'standard' : 'internal',
    email: `${createId('user')}@example.com`,
  });
  const { key } = await createKeyFixture(db, accountId);
  await creditBalance(db, { accountId, amountNanoUsd: creditNanoUsd });
  return { accountId, keyId: key.id };
}

/** Totals of an owner in the database. */
export async function readStanding(
  { drizzle }: Database,
  { accountId, keyId }: RecordOwner,
): Promise<{
  spent: bigint;
  held: bigint;
  available: bigint;
  walletHeld: bigint;
  rows: (typeof requests.$inferSelect)[];
}> {
  const [totals] = await drizzle.select().from(keyTotals).where(eq(keyTotals.keyId, keyId));
  const [balance] = await drizzle.select().from(balances).where(eq(balances.accountId, accountId));
  const rows = await drizzle.select().from(requests).where(eq(requests.keyId, keyId));
  if (totals === undefined || balance === undefined) throw new Error('The key or the account is not there');
  const { spentNanoUsd: spent, heldNanoUsd: held } = totals;
  return { spent, held, available: balance.availableNanoUsd, walletHeld: balance.heldNanoUsd, rows };
}

/** Findings of the ledger verification; empty: none. */
export async function findViolations(db: Database): Promise<LedgerReport['findings']> {
  return (await verifyLedger(db, { recompute: 0 })).findings;
}

/** Places a hold and returns its outcome as a promise. */
export function holdOn(
  ledger: Pick<Ledger, 'hold'>,
  request: Parameters<Ledger['hold']>[0],
): { pending: ReturnType<Ledger['hold']>; outcome: Promise<HoldOutcome> } {
  const { promise, resolve } = Promise.withResolvers<HoldOutcome>();
  return { pending: ledger.hold(request, resolve), outcome: promise };
}
