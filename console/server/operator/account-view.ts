import { findLastDays } from '@tollgate/core/requests/last-days';
import type { Role } from '@tollgate/core/people/roles';
import { listPayments, NANO_USD_PER_CENT } from '@tollgate/db/queries/payments/payments';
import { readBillingOverview } from '@tollgate/db/queries/payments/payments-overview';
import {
  listKeysForOperator,
  listMembersForOperator,
  type AccountKey,
} from '@tollgate/db/queries/operator/account-parts';
import { findAccountForOperator, type ListedAccount } from '@tollgate/db/queries/operator/list-accounts';
import type { PaymentRow } from '../payments/router.ts';
import type { Context } from '../context.ts';
import { notFound } from '../denial.ts';

const RECENT_SPEND_DAYS = 30;
/** Of members, keys and payments: the rest is in the account's own pages. */
const PARTS_SHOWN = 20;

/** An account among all. Amounts are nano-dollars in decimal, times are ISO 8601. */
export interface AccountRow {
  id: string;
  name: string;
  ownerEmail: string | null;
  planId: string;
  availableNanoUsd: string;
  /** In the last 30 days. */
  spentNanoUsd: string;
  suspendedAt: string | null;
  createdAt: string;
}

export interface AccountKeyRow {
  id: string;
  name: string;
  prefix: string;
  last4: string;
  maxBudgetNanoUsd: string | null;
  spentNanoUsd: string;
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
}

export interface AccountDetail extends AccountRow {
  heldNanoUsd: string;
  unpostedNanoUsd: string;
  isPrepaid: boolean;
  members: {
    userId: string;
    email: string;
    emailVerified: boolean;
    isOperator: boolean;
    role: Role;
    joinedAt: string;
    /** An authenticator app that sign-ins ask for. */
    hasTwoFactor: boolean;
    passkeys: number;
  }[];
  /** The newest. */
  keys: AccountKeyRow[];
  payments: Pick<PaymentRow, 'id' | 'createdAt' | 'kind' | 'state' | 'amountNanoUsd'>[];
}

export function recentSpendSince({ deps, timeZone }: Context): Date {
  return new Date(findLastDays({ days: RECENT_SPEND_DAYS, timeZone, nowMs: deps.clock.nowMs() }).fromMs);
}

export function toAccountRow(account: ListedAccount): AccountRow {
  return {
    ...account,
    availableNanoUsd: account.availableNanoUsd.toString(),
    spentNanoUsd: account.spentNanoUsd.toString(),
    suspendedAt: account.suspendedAt?.toISOString() ?? null,
    createdAt: account.createdAt.toISOString(),
  };
}

export async function readAccount(ctx: Context, accountId: string): Promise<AccountDetail> {
  const { db } = ctx.deps;
  const parts = { accountId, limit: PARTS_SHOWN };
  const [account, overview, members, keys, { payments }] = await Promise.all([
    findAccountForOperator(db, { accountId, since: recentSpendSince(ctx) }),
    readBillingOverview(db, { accountId, provider: null }),
    listMembersForOperator(db, parts),
    listKeysForOperator(db, parts),
    listPayments(db, parts),
  ]);
  if (account === null || overview === null) throw notFound('account');
  return {
    ...toAccountRow(account),
    heldNanoUsd: overview.heldNanoUsd.toString(),
    unpostedNanoUsd: overview.unpostedNanoUsd.toString(),
    isPrepaid: overview.plan.isPrepaid,
    members: members.map(({ emailVerifiedAt, joinedAt, ...member }) => ({
      ...member,
      emailVerified: emailVerifiedAt !== null,
      joinedAt: joinedAt.toISOString(),
    })),
    keys: keys.map(toKeyRow),
    payments: payments.map(({ id, createdAt, kind, state, amountCents }) => ({
      id,
      createdAt: createdAt.toISOString(),
      kind,
      state,
      amountNanoUsd: (BigInt(amountCents) * NANO_USD_PER_CENT).toString(),
    })),
  };
}

function toKeyRow(key: AccountKey): AccountKeyRow {
  return {
    ...key,
    maxBudgetNanoUsd: key.maxBudgetNanoUsd?.toString() ?? null,
    spentNanoUsd: key.spentNanoUsd.toString(),
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
  };
}
