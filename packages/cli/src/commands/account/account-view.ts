import { formatUsd } from '@tollgate/core/money/money';
import type { Connection } from '@tollgate/db/transaction';
import { findAccountByEmail, type AccountOverview } from '@tollgate/db/queries/accounts/accounts';
import { Failure } from '../../failure.ts';
import { iso, moment, usd, yesNo } from '../../output/format.ts';
import { formatFacts } from '../../output/table.ts';

/** @throws Failure if no user with that email owns an account */
export async function getAccount(db: Connection, email: string): Promise<AccountOverview> {
  const account = await findAccountByEmail(db, email);
  if (account !== null) return account;
  throw new Failure(
    'account_not_found',
    `No account belongs to ${email}. List accounts with \`tollgate account list\`.`,
  );
}

export function accountJson(account: AccountOverview) {
  return {
    id: account.id,
    email: account.email,
    emailVerifiedAt: iso(account.emailVerifiedAt),
    operator: account.isOperator,
    suspendedAt: iso(account.suspendedAt),
    createdAt: iso(account.createdAt),
    keys: account.keys,
    plan: account.planId,
    prepaid: account.isPrepaid,
    availableUsd: formatUsd(account.availableNanoUsd),
    heldUsd: formatUsd(account.heldNanoUsd),
    spentUsd: formatUsd(account.spentNanoUsd),
  };
}

export function accountText(account: AccountOverview): string {
  return formatFacts([
    ['Account', account.id],
    ['Email', account.email],
    [
      'Verified',
      account.emailVerifiedAt === null ? 'no (required to create keys)' : moment(account.emailVerifiedAt),
    ],
    ['Operator', yesNo(account.isOperator)],
    ['State', accountState(account)],
    ['Keys', String(account.keys)],
    ['Plan', account.isPrepaid ? account.planId : `${account.planId} (not billed)`],
    ['Available', usd(account.availableNanoUsd)],
    ['On hold', usd(account.heldNanoUsd)],
    ['Spent', usd(account.spentNanoUsd)],
    ['Created', moment(account.createdAt)],
  ]);
}

function accountState(account: AccountOverview): string {
  return account.suspendedAt === null ? 'active' : `suspended since ${moment(account.suspendedAt)}`;
}
