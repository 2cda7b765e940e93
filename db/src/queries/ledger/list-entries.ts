import { and, desc, eq, sql } from 'drizzle-orm';
import { apiKeys } from '../../schema/api-keys.ts';
import { balances, ledgerEntries } from '../../schema/ledger.ts';
import type { Connection } from '../../transaction.ts';
import { findEntryDocuments, type LinkedDocument } from '../documents/list-documents.ts';
import { readRolledUntil, getUnposted } from '../usage/rolls/sources.ts';
import type { LedgerEntry } from './post-entry.ts';

export interface ListedEntry {
  id: string;
  at: Date;
  kind: LedgerEntry['kind'];
  /** Signed: above 0 if the account was given something. */
  changeNanoUsd: bigint;
  /** The sum of all entries up to this one. */
  balanceAfterNanoUsd: bigint;
  reason: string | null;
  keyId: string | null;
  keyName: string | null;
  /** Of the key as they are now; null: no key. */
  keyTags: string[] | null;
  usageHour: Date | null;
  paymentId: string | null;
  /** The receipt or credit note of the same amount; null: it has none. */
  document: LinkedDocument | null;
}

interface Cursor {
  entryId: string;
  /** After the entry that follows on the next page. */
  balanceNanoUsd: bigint;
}

const CURSOR_PATTERN = /^(led_[0-9a-z]{1,40})\.(-?\d{1,20})$/;

/**
 * One page of an account's ledger, the newest first, with the balance after each entry. The cursor carries that
 * balance on, so that no page sums up the ones before.
 * @param page.cursor of the page before; an invalid one starts at the top
 */
export async function listLedgerEntries(
  db: Connection,
  page: { accountId: string; cursor?: string | undefined; limit: number },
): Promise<{ entries: ListedEntry[]; nextCursor: string | null }> {
  const cursor = parseCursor(page.cursor);
  const rows = await selectPage(db, { ...page, after: cursor?.entryId ?? null });
  let balance = cursor?.balanceNanoUsd ?? rows[0]?.totalNanoUsd ?? 0n;
  const listed = rows.slice(0, page.limit);
  const documents = await findEntryDocuments(db, {
    accountId: page.accountId,
    entryKeys: listed.filter(({ entry }) => entry.paymentId !== null).map(({ entryKey }) => entryKey),
  });
  const entries = listed.map(({ entry, entryKey }): ListedEntry => {
    const balanceAfterNanoUsd = balance;
    balance -= entry.changeNanoUsd;
    return { ...entry, balanceAfterNanoUsd, document: documents.get(entryKey) ?? null };
  });
  const last = rows.length > page.limit ? entries.at(-1) : undefined;
  return { entries, nextCursor: last === undefined ? null : `${last.id}.${balance}` };
}

function parseCursor(text: string | undefined): Cursor | null {
  const match = CURSOR_PATTERN.exec(text ?? '');
  if (match === null) return null;
  const [, entryId = '', balance = '0'] = match;
  return { entryId, balanceNanoUsd: BigInt(balance) };
}

/** The total is read in the same statement as the entries, so that the newest one ends at it. */
async function selectPage(db: Connection, page: { accountId: string; after: string | null; limit: number }) {
  const { accountId, after } = page;
  // The time as a separate value: a row from a subquery would not use the index.
  const isBefore = sql`(${ledgerEntries.at}, ${ledgerEntries.id}) < (
    (SELECT last.at FROM ledger_entries last WHERE last.id = ${after} AND last.account_id = ${accountId}), ${after})`;
  const totalNanoUsd =
    after === null
      ? sql<bigint>`${balances.availableNanoUsd} + ${getUnposted(await readRolledUntil(db), accountId)}`
      : sql<bigint>`0`;
  return db.drizzle
    .select({
      entry: {
        id: ledgerEntries.id,
        at: ledgerEntries.at,
        kind: ledgerEntries.kind,
        changeNanoUsd: sql<bigint>`CASE WHEN ${ledgerEntries.credit} = 'wallet'
        THEN ${ledgerEntries.amountNanoUsd} ELSE -${ledgerEntries.amountNanoUsd} END`.mapWith(BigInt),
        reason: ledgerEntries.reason,
        keyId: ledgerEntries.keyId,
        keyName: apiKeys.name,
        keyTags: apiKeys.tags,
        usageHour: ledgerEntries.usageHour,
        paymentId: ledgerEntries.paymentId,
      },
      entryKey: ledgerEntries.idempotencyKey,
      totalNanoUsd: totalNanoUsd.mapWith(BigInt),
    })
    .from(ledgerEntries)
    .innerJoin(balances, eq(balances.accountId, ledgerEntries.accountId))
    .leftJoin(apiKeys, eq(apiKeys.id, ledgerEntries.keyId))
    .where(and(eq(ledgerEntries.accountId, accountId), after === null ? undefined : isBefore))
    .orderBy(desc(ledgerEntries.at), desc(ledgerEntries.id))
    .limit(page.limit + 1);
}
