import type { RetentionKind } from '@tollgate/core/requests/retention';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { accounts } from '../../schema/accounts.ts';
import { conversations } from '../../schema/conversations.ts';
import { requestBodies } from '../../schema/request-bodies.ts';
import { storedResponses } from '../../schema/stored-responses.ts';

/** Data of accounts that is deleted after its retention. */
interface StoredTable {
  table: PgTable;
  accountId: PgColumn;
  /** With the account, the key of a row. */
  id: PgColumn;
  /** Its age; the table has an index of the account and this. */
  at: PgColumn;
}

interface RetentionEntry {
  /** The account's setting, in days; null: nothing is stored. */
  days: PgColumn;
  /** What began before is neither stored nor shown; null: nothing is. */
  since: PgColumn;
  tables: readonly StoredTable[];
  actions: { keep: string; stop: string };
}

/** Where each kind of stored data is. All its queries, and the deletion of accounts, follow from this table. */
export const RETENTION_TABLE: Record<RetentionKind, RetentionEntry> = {
  bodies: {
    days: accounts.bodyRetentionDays,
    since: accounts.bodiesKeptSince,
    tables: [
      {
        table: requestBodies,
        accountId: requestBodies.accountId,
        id: requestBodies.requestId,
        at: requestBodies.startedAt,
      },
    ],
    actions: { keep: 'account.keep_bodies', stop: 'account.stop_keeping_bodies' },
  },
  responses: {
    days: accounts.responseRetentionDays,
    since: accounts.responsesKeptSince,
    tables: [
      {
        table: storedResponses,
        accountId: storedResponses.accountId,
        id: storedResponses.id,
        at: storedResponses.createdAt,
      },
      {
        table: conversations,
        accountId: conversations.accountId,
        id: conversations.id,
        at: conversations.updatedAt,
      },
    ],
    actions: { keep: 'account.keep_responses', stop: 'account.stop_keeping_responses' },
  },
};

export const RETENTION_ENTRIES: readonly RetentionEntry[] = Object.values(RETENTION_TABLE);
