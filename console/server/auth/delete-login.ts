import { formatUsd, parseUsd } from '@tollgate/core/money/money';
import { recordAudit } from '@tollgate/db/queries/audit/audit';
import {
  countOpenPayments,
  erasePerson,
  isLastOperator,
  listOwnedAccounts,
  revokeAllKeys,
  type OwnedAccount,
} from '@tollgate/db/queries/users/delete-person';
import { postLedgerEntry } from '@tollgate/db/queries/ledger/post-entry';
import { lockUser } from '@tollgate/db/queries/users/users';
import { inTransaction, type Connection } from '@tollgate/db/transaction';
import { queueMail } from '@tollgate/mail/queue-mail';
import type { Context } from '../context.ts';
import { deny } from '../denial.ts';
import { accountDeletedMail } from '../mail/security-templates.ts';
import type { ActiveSession } from '../sessions.ts';

type SignedInContext = Context & { session: ActiveSession };

/** Reasons against a deletion, in the order in which they are reported. */
export type DeletionObstacle =
  | 'other_members'
  | 'last_operator'
  | 'debt'
  | 'calls_running'
  | 'payment_pending';

export interface Deletion {
  /** Of all that the person owns, in nano-dollars; it is given up. */
  balanceNanoUsd: bigint;
  keys: number;
  obstacle: DeletionObstacle | null;
}

/** The consequences of deleting the login, and the reason that prevents it. */
export async function previewDeletion({ deps, session }: SignedInContext): Promise<Deletion> {
  return inTransaction(deps.db, async (tx) => {
    const owned = await listOwnedAccounts(tx, { userId: session.user.id });
    return weigh(tx, session.user.id, owned);
  });
}

/**
 * Deletes a user's login and the accounts they own: their keys stop working, their balance is forfeited by a ledger
 * entry, and personal data is erased. Requests, payments and the ledger are kept for accounting.
 * @param input.giveUpUsd the forfeited balance, as the user typed it
 */
export async function deleteLogin(
  ctx: SignedInContext,
  input: { email: string; giveUpUsd: string },
): Promise<void> {
  const { deps, session } = ctx;
  if (input.email !== session.user.email)
    throw deny('BAD_REQUEST', 'The email address does not match.', { field: 'email' });
  await inTransaction(deps.db, async (tx) => {
    const user = await lockUser(tx, session.user.id);
    if (user === null || user.deletedAt !== null) throw deny('UNAUTHORIZED', 'Sign in to continue.');
    const owned = await listOwnedAccounts(tx, { userId: user.id, locked: true });
    const { balanceNanoUsd, obstacle } = await weigh(tx, user.id, owned);
    if (obstacle !== null) throw denyDeletion(obstacle);
    if (parseUsd(input.giveUpUsd === '' ? '0' : input.giveUpUsd) !== balanceNanoUsd)
      throw denyAmount(balanceNanoUsd);
    const at = new Date(deps.clock.nowMs());
    const accountIds = owned.map((account) => account.id);
    if (accountIds.length > 0) await revokeAllKeys(tx, accountIds, at);
    for (const account of owned) await giveUp(tx, user.id, account);
    await erasePerson(tx, { userId: user.id, email: user.email, accountIds, at });
    await recordAudit(tx, { actorUserId: user.id, action: 'user.deleted', subject: user.id });
    await queueMail(tx, deps.sealer, { recipient: user.email, mail: accountDeletedMail() });
  });
  deps.onMailQueued();
  ctx.setCookie(deps.sessions.blankCookie());
}

async function weigh(tx: Connection, userId: string, owned: OwnedAccount[]): Promise<Deletion> {
  const ids = owned.map((account) => account.id);
  return {
    balanceNanoUsd: owned.reduce((sum, account) => sum + account.availableNanoUsd, 0n),
    keys: owned.reduce((sum, account) => sum + account.keys, 0),
    obstacle: await findObstacle(tx, { userId, ids, owned }),
  };
}

async function findObstacle(
  tx: Connection,
  { userId, ids, owned }: { userId: string; ids: string[]; owned: OwnedAccount[] },
): Promise<DeletionObstacle | null> {
  if (owned.some((account) => account.otherMembers > 0)) return 'other_members';
  if (await isLastOperator(tx, userId)) return 'last_operator';
  if (owned.some((account) => account.availableNanoUsd < 0n)) return 'debt';
  if (owned.some((account) => account.heldNanoUsd > 0n)) return 'calls_running';
  if ((await countOpenPayments(tx, ids)) > 0) return 'payment_pending';
  return null;
}

/** A separate ledger entry removes the balance, so that the ledger still adds up. */
async function giveUp(tx: Connection, userId: string, account: OwnedAccount): Promise<void> {
  const { id: accountId, availableNanoUsd: amountNanoUsd } = account;
  await recordAudit(tx, {
    actorUserId: userId,
    accountId,
    action: 'account.deleted',
    subject: accountId,
    detail: { givenUpNanoUsd: amountNanoUsd.toString() },
  });
  if (amountNanoUsd === 0n) return;
  await postLedgerEntry(tx, {
    accountId,
    kind: 'adjustment',
    debit: 'wallet',
    credit: 'adjustments',
    amountNanoUsd,
    idempotencyKey: `given up ${accountId}`,
    reason: 'Forfeited when the account was deleted',
  });
}

function denyAmount(balanceNanoUsd: bigint) {
  return deny(
    'BAD_REQUEST',
    `Your balance is $${formatUsd(balanceNanoUsd)}. Enter this exact amount to forfeit it.`,
    {
      field: 'giveUpUsd',
    },
  );
}

function denyDeletion(obstacle: DeletionObstacle) {
  const sentences = {
    other_members: 'An account that you own has other members. Transfer ownership first.',
    last_operator: 'You are the only operator. Make another person an operator first.',
    debt: 'The balance is below zero. Add credit first.',
    calls_running: 'Requests with your keys are still running. Revoke the keys and try again in a moment.',
    payment_pending: 'A payment or refund is still being processed. Try again when it is complete.',
  } satisfies Record<DeletionObstacle, string>;
  return deny('BAD_REQUEST', sentences[obstacle]);
}
