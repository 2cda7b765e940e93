import { and, desc, eq, inArray, isNotNull, isNull, like, lt, or, sql, type SQL } from 'drizzle-orm';
import { accounts, memberships } from '../../schema/accounts.ts';
import { balances } from '../../schema/ledger.ts';
import { users } from '../../schema/users.ts';
import type { Connection } from '../../transaction.ts';
import { readRolledUntil, usageOfAccounts } from '../usage/rolls/sources.ts';

export const ACCOUNT_STATES = ['all', 'active', 'suspended'] as const;

export interface AccountListQuery {
  state: (typeof ACCOUNT_STATES)[number];
  /** Part of the account's name or of a member's email, or the id of the account or of a member. */
  search?: string | undefined;
  planId?: string | undefined;
  /** The `nextCursor` of the page before. */
  cursor?: string | undefined;
  limit: number;
  /** From when spend is added up. */
  since: Date;
}

export interface ListedAccount {
  id: string;
  name: string;
  /** null: the owner was deleted. */
  ownerEmail: string | null;
  planId: string;
  /** Includes held amounts. */
  availableNanoUsd: bigint;
  /** Cost of its requests since the requested time. */
  spentNanoUsd: bigint;
  suspendedAt: Date | null;
  createdAt: Date;
}

/** One page of all accounts, the newest first. */
export async function listAccountsForOperator(
  db: Connection,
  query: AccountListQuery,
): Promise<{ accounts: ListedAccount[]; nextCursor: string | null }> {
  // Ids sort by their time of making.
  const rows = await selectAccounts(db)
    .where(
      and(
        isInState(query.state),
        query.planId === undefined ? undefined : eq(accounts.planId, query.planId),
        matches(db, query.search),
        query.cursor === undefined ? undefined : lt(accounts.id, query.cursor),
      ),
    )
    .orderBy(desc(accounts.id))
    .limit(query.limit + 1);
  const page = rows.slice(0, query.limit);
  const listed = await addSpend(db, page, query.since);
  return { accounts: listed, nextCursor: rows.length > query.limit ? (page.at(-1)?.id ?? null) : null };
}

/** @returns null if there is no account of that id */
export async function findAccountForOperator(
  db: Connection,
  query: { accountId: string; since: Date },
): Promise<ListedAccount | null> {
  const rows = await selectAccounts(db).where(eq(accounts.id, query.accountId));
  const [account] = await addSpend(db, rows, query.since);
  return account ?? null;
}

export async function hasAccount(db: Connection, accountId: string): Promise<boolean> {
  return (await db.drizzle.$count(accounts, eq(accounts.id, accountId))) > 0;
}

function selectAccounts(db: Connection) {
  return db.drizzle
    .select({
      id: accounts.id,
      name: accounts.name,
      ownerEmail: users.email,
      planId: accounts.planId,
      availableNanoUsd: balances.availableNanoUsd,
      suspendedAt: accounts.suspendedAt,
      createdAt: accounts.createdAt,
    })
    .from(accounts)
    .innerJoin(balances, eq(balances.accountId, accounts.id))
    .leftJoin(memberships, and(eq(memberships.accountId, accounts.id), eq(memberships.role, 'owner')))
    .leftJoin(users, eq(users.id, memberships.userId));
}

function isInState(state: AccountListQuery['state']): SQL | undefined {
  switch (state) {
    case 'all':
      return undefined;
    case 'active':
      return isNull(accounts.suspendedAt);
    case 'suspended':
      return isNotNull(accounts.suspendedAt);
  }
}

function matches(db: Connection, search: string | undefined): SQL | undefined {
  if (search === undefined || search === '') return undefined;
  const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, String.raw`\$&`)}%`;
  // Looked up once for all accounts, not for each. Emails are stored in lower case.
  const ofMembers = db.drizzle
    .select({ accountId: memberships.accountId })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(or(like(users.email, pattern), eq(users.id, search)));
  return or(
    eq(accounts.id, search),
    like(sql`lower(${accounts.name})`, sql`lower(${pattern})`),
    inArray(accounts.id, ofMembers),
  );
}

/** Only of the accounts on one page. */
async function addSpend(
  db: Connection,
  page: Omit<ListedAccount, 'spentNanoUsd'>[],
  since: Date,
): Promise<ListedAccount[]> {
  if (page.length === 0) return [];
  const hours = { accountIds: page.map(({ id }) => id), from: since, to: null };
  const spent = await db.drizzle
    .select({
      accountId: sql<string>`account_id`,
      nanoUsd: sql<bigint>`sum(cost_nano_usd)`.mapWith(BigInt),
    })
    .from(usageOfAccounts(await readRolledUntil(db), hours, { hasTimes: false }))
    .groupBy(sql`account_id`);
  const byAccount = new Map(spent.map((row) => [row.accountId, row.nanoUsd]));
  return page.map((account) => ({ ...account, spentNanoUsd: byAccount.get(account.id) ?? 0n }));
}
