import { createId } from '@tollgate/core/runtime/ids';
import { and, eq, gt, isNotNull } from 'drizzle-orm';
import { accounts, memberships } from '../../schema/accounts.ts';
import { balances } from '../../schema/ledger.ts';
import { plans } from '../../schema/plans.ts';
import { users } from '../../schema/users.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { recordAudit } from '../audit/audit.ts';
import { isEntryPosted, postLedgerEntry } from './post-entry.ts';

/**
 * Gives accounts the credit of their plan: once per account and plan, however often it is called, and only if an
 * owner has a verified email.
 * @param whose one account, or all that a person owns
 * @returns nano-dollars given now; 0 if nothing was due
 */
export async function grantIncludedCredit(
  db: Connection,
  whose: { accountId: string } | { ownerId: string },
): Promise<bigint> {
  const owed = await db.drizzle
    .selectDistinct({ accountId: accounts.id, planId: plans.id, amount: plans.includedCreditNanoUsd })
    .from(accounts)
    .innerJoin(plans, eq(plans.id, accounts.planId))
    .innerJoin(memberships, and(eq(memberships.accountId, accounts.id), eq(memberships.role, 'owner')))
    .innerJoin(users, and(eq(users.id, memberships.userId), isNotNull(users.emailVerifiedAt)))
    .where(
      and(
        gt(plans.includedCreditNanoUsd, 0n),
        'accountId' in whose ? eq(accounts.id, whose.accountId) : eq(users.id, whose.ownerId),
      ),
    );
  let granted = 0n;
  for (const { accountId, planId, amount } of owed) {
    const isNew = await postLedgerEntry(db, {
      accountId,
      kind: 'credit',
      debit: 'credits',
      credit: 'wallet',
      amountNanoUsd: amount,
      idempotencyKey: `plan ${planId} ${accountId}`,
      reason: `Included in the ${planId} plan`,
    });
    if (isNew) granted += amount;
  }
  return granted;
}

export interface BalanceAdjustment {
  accountId: string;
  /** Not 0; below 0 it takes away. */
  amountNanoUsd: bigint;
  /** In the operator's words; the account's members read it. */
  reason: string;
  /** null: the command line. */
  actorUserId: string | null;
  /** The same for a wish that is sent again; without one, every call is a new wish. */
  idempotencyKey?: string;
}

export type AdjustBalanceResult =
  /** `isNew` false: it was posted before, and nothing has moved now. */
  | { ok: true; isNew: boolean }
  | { ok: false; reason: 'not_enough'; availableNanoUsd: bigint; heldNanoUsd: bigint };

/**
 * Adds credit to an account or removes some, with an audit entry. Amounts held for requests in flight cannot be
 * taken: their cost is still to come.
 */
export async function adjustBalance(
  db: Connection,
  { accountId, amountNanoUsd, reason, actorUserId, idempotencyKey = createId('led') }: BalanceAdjustment,
): Promise<AdjustBalanceResult> {
  return inTransaction(db, async (tx) => {
    const [balance] = await tx.drizzle
      .select()
      .from(balances)
      .where(eq(balances.accountId, accountId))
      .for('no key update');
    if (balance === undefined) throw new Error(`The account ${accountId} has no balance`);
    const { availableNanoUsd, heldNanoUsd } = balance;
    const entryKey = `operator ${idempotencyKey}`;
    if (await isEntryPosted(tx, entryKey)) return { ok: true, isNew: false };
    if (amountNanoUsd < 0n && availableNanoUsd - heldNanoUsd + amountNanoUsd < 0n)
      return { ok: false, reason: 'not_enough', availableNanoUsd, heldNanoUsd };
    await postLedgerEntry(tx, {
      accountId,
      ...(amountNanoUsd > 0n
        ? { kind: 'credit', debit: 'credits', credit: 'wallet', amountNanoUsd }
        : { kind: 'adjustment', debit: 'wallet', credit: 'adjustments', amountNanoUsd: -amountNanoUsd }),
      idempotencyKey: entryKey,
      reason,
    });
    await recordAudit(tx, {
      actorUserId,
      accountId,
      action: 'account.credit',
      subject: accountId,
      detail: { amountNanoUsd: amountNanoUsd.toString(), reason },
    });
    return { ok: true, isNew: true };
  });
}
