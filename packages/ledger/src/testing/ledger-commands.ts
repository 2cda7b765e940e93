import { revokeKey } from '@tollgate/db/queries/keys/keys';
import { postLedgerEntry } from '@tollgate/db/queries/ledger/post-entry';
import { setAccountPlan } from '@tollgate/db/queries/plans/plans';
import { apiKeys } from '@tollgate/db/schema/api-keys';
import { replicas } from '@tollgate/db/schema/ledger';
import type { NanoUsd } from '@tollgate/core/money/money';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { expect } from 'vitest';
import { batchCommands } from './batch-commands.ts';
import type { LedgerModel } from './ledger-model.ts';
import { amount, command, pick, post, recover, type Command, type RealLedger } from './real-ledger.ts';

const LONG_AGO_MS = 60_000;

/** A replica stops sending heartbeats, which is detected later. */
const crashes = fc.tuple(fc.nat(1), fc.boolean()).map(([at, isFoundOut]) =>
  command(`crash ${at} ${isFoundOut}`, async (model, real) => {
    const id = pick(real.replicaIds, at);
    real.silent.add(id);
    const heartbeatAt = new Date(Date.now() - LONG_AGO_MS);
    await real.db.drizzle.update(replicas).set({ heartbeatAt }).where(eq(replicas.id, id));
    if (isFoundOut) await recover(model, real);
  }),
);

const recoveries = fc.constant(command('recover', recover));

const revocationsOr = (deletions: fc.Arbitrary<boolean>) =>
  fc.record({ at: fc.nat(2), isDeleted: deletions }).map(({ at, isDeleted }) => revocation(at, isDeleted));

function revocation(at: number, isDeleted: boolean): Command {
  return command(
    `revoke ${at} ${isDeleted}`,
    async (model, real) => {
      const key = pick(model.keys, at);
      if (isDeleted) {
        await real.db.drizzle.delete(apiKeys).where(eq(apiKeys.id, key.id));
        key.isDeleted = true;
      } else if (!key.isRevoked && !key.isDeleted) {
        const input = { accountId: model.accountId, keyId: key.id, actorUserId: null };
        await revokeKey(real.db, input);
        key.isRevoked = true;
      }
    },
    (model) => model.rows.size > 6,
  );
}

const payments = fc
  .record({ paid: amount(6_000), isRefund: fc.boolean() })
  .map(({ paid, isRefund }) =>
    command(`${isRefund ? 'refund' : 'top-up'} ${paid}`, (model, real) =>
      pay(model, real, isRefund ? paid / 4n + 1n : paid + 1n, isRefund),
    ),
  );

/** A payment is reported twice and counts once. */
async function pay(
  model: LedgerModel,
  real: RealLedger,
  amountNanoUsd: NanoUsd,
  isRefund: boolean,
): Promise<void> {
  real.serial += 1;
  const entry = {
    accountId: model.accountId,
    amountNanoUsd,
    idempotencyKey: `${model.accountId} ${real.serial}`,
    ...(isRefund
      ? ({ kind: 'refund', debit: 'wallet', credit: 'payments' } as const)
      : ({ kind: 'top_up', debit: 'payments', credit: 'wallet' } as const)),
  };
  expect(await postLedgerEntry(real.db, entry)).toBe(true);
  expect(await postLedgerEntry(real.db, entry)).toBe(false);
  model.paidIn += isRefund ? -amountNanoUsd : amountNanoUsd;
  if (model.available < model.walletHeld) model.isOverdrawn = true;
}

const planChanges = fc.constant(
  command('plan-change', async (model, { db }) => {
    model.isPrepaid = !model.isPrepaid;
    const planId = model.isPrepaid ? 'standard' : 'internal';
    await setAccountPlan(db, { accountId: model.accountId, planId, actorUserId: null });
  }),
);

const postings = fc.constant(command('post', post));

/**
 * Random commands for an account with two replicas and three keys, mostly batches.
 * @param options.deletesKeys keys are also deleted from the database
 */
export function ledgerCommands(
  size: number,
  { deletesKeys }: { deletesKeys: boolean },
): fc.Arbitrary<Iterable<Command>> {
  const { batches, truths, repeats, overtaken } = batchCommands;
  const kinds = [
    truths,
    repeats,
    overtaken,
    crashes,
    recoveries,
    revocationsOr(deletesKeys ? fc.boolean() : fc.constant(false)),
    payments,
    planChanges,
    postings,
  ];
  const weighted = [...times(6, batches), ...times(4, truths), ...times(2, crashes), ...kinds];
  // Runs of all lengths, including the first ones.
  return fc.noBias(fc.commands(weighted, { maxCommands: size, size: 'max' }));
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);
