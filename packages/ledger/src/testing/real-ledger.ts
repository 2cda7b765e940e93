import type { HoldVerdict, LedgerBatch, LedgerCommit } from '@tollgate/core/money/ledger';
import type { NanoUsd } from '@tollgate/core/money/money';
import type { Database } from '@tollgate/db/client';
import { commitLedgerBatch } from '@tollgate/db/queries/ledger/commit-batch';
import { listLostHolds } from '@tollgate/db/queries/ledger/lost-holds';
import { postUsage } from '@tollgate/db/queries/ledger/post-usage';
import { replicas } from '@tollgate/db/schema/ledger';
import { inArray } from 'drizzle-orm';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { LedgerModel, ModelRow } from './ledger-model.ts';

const HOUR_MS = 3_600_000;
const DEAD_AFTER_MS = 20_000;

/** The real ledger in a database; totals of commits are compared immediately. */
export interface RealLedger {
  db: Database;
  /** Two API replicas; either may be stale. */
  replicaIds: readonly [string, string];
  silent: Set<string>;
  serial: number;
  /** Event counts for the summary. */
  seen: Map<string, number>;
}

export type Command = fc.AsyncCommand<LedgerModel, RealLedger>;

/** An event applied to both; counted by the first word of its name. */
export function command(
  name: string,
  run: (model: LedgerModel, real: RealLedger) => Promise<void>,
  check: (model: Readonly<LedgerModel>) => boolean = () => true,
): Command {
  return {
    check,
    run: async (model, real) => {
      note(real, name.replace(/ .*/, ''));
      await run(model, real);
    },
    toString: () => name,
  };
}

const note = ({ seen }: RealLedger, what: string) => void seen.set(what, (seen.get(what) ?? 0) + 1);

/** Requests with a hold in the given states. */
export const rowsIn = (model: Readonly<LedgerModel>, ...states: ModelRow['state'][]) =>
  [...model.rows.values()].filter(({ hold, state }) => hold !== null && states.includes(state));

/** Picks an element deterministically. */
export const pick = <T>(from: readonly T[], at: number): T => {
  const found = from[at % from.length];
  if (found === undefined) throw new Error('There is nothing to pick from');
  return found;
};

/** Commits a batch in both and compares verdicts and totals. */
export async function commitBoth(
  model: LedgerModel,
  real: RealLedger,
  { replicaId, settlements = [], holds = [] }: Partial<LedgerBatch> & { replicaId: string },
  isReplyLost = false,
): Promise<void> {
  const batch = { replicaId, settlements, holds, isRetry: false };
  let commit: LedgerCommit = await commitLedgerBatch(real.db.sql, batch);
  if (isReplyLost) commit = await commitLedgerBatch(real.db.sql, { ...batch, isRetry: true });
  for (const record of settlements) model.settle(record);
  const verdicts: HoldVerdict[] = holds.map((hold) => model.admit(hold, replicaId));
  // A hold makes a replica live again.
  if (holds.length > 0) real.silent.delete(replicaId);
  for (const verdict of verdicts) note(real, verdict.ok ? 'admitted' : verdict.reason);
  expect(commit.verdicts).toEqual(verdicts);
  for (const { keyId, spentNanoUsd, heldNanoUsd } of commit.keys)
    expect({ spentNanoUsd, heldNanoUsd }).toEqual({
      spentNanoUsd: model.getSpent(keyId),
      heldNanoUsd: model.getHeld(keyId),
    });
  for (const { availableNanoUsd, heldNanoUsd } of commit.balances)
    expect({ availableNanoUsd, heldNanoUsd }).toEqual({
      availableNanoUsd: model.available,
      heldNanoUsd: model.walletHeld,
    });
}

/** Settles orphaned holds of stale replicas; other holds stay. */
export async function recover(model: LedgerModel, real: RealLedger): Promise<void> {
  // Ignores leftovers of failed runs.
  const lost = (await listLostHolds(real.db.sql, DEAD_AFTER_MS, 10_000)).filter(
    ({ accountId }) => accountId === model.accountId,
  );
  const expected = rowsIn(model, 'held').filter(({ replicaId }) => real.silent.has(replicaId ?? ''));
  const inOrder = (ids: string[]) => ids.toSorted((a, b) => (a < b ? -1 : 1));
  expect(inOrder(lost.map(({ id }) => id))).toEqual(inOrder(expected.map(({ id }) => id)));
  for (const record of lost) expect(record.costNanoUsd).toBe(model.rows.get(record.id)?.cost);
  if (lost.length > 0) note(real, 'recovered');
  await commitBoth(model, real, { replicaId: 'rep_living', settlements: lost });
}

/** Posts all charges so far, including the current hour. */
export async function post(model: LedgerModel, real: RealLedger): Promise<void> {
  const before = new Date(Date.now() + 2 * HOUR_MS);
  const { chargedNanoUsd } = await postUsage(real.db, { before });
  expect(chargedNanoUsd).toBe(model.charged - model.posted);
  model.posted = model.charged;
}
/** Starts at 0. */
export const amount = (max: number): fc.Arbitrary<NanoUsd> => fc.nat(max).map(BigInt);

/** Formats values, including amounts, for command names. */
export function text(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));
}

/** Deletes the replicas of a run. */
export async function forget({ db, replicaIds }: RealLedger): Promise<void> {
  await db.drizzle.delete(replicas).where(inArray(replicas.id, [...replicaIds]));
}
