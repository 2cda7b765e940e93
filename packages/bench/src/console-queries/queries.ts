import type { Database } from '@tollgate/db/client';
import { listAudit } from '@tollgate/db/queries/audit/list-audit';
import {
  countKeys,
  listKeys,
  listKeyTags,
  type KeySort,
  type KeyState,
} from '@tollgate/db/queries/keys/key-list';
import { findKeyDetail } from '@tollgate/db/queries/keys/key-summary';
import { listLedgerEntries } from '@tollgate/db/queries/ledger/list-entries';
import {
  findAccountForOperator,
  listAccountsForOperator,
  type AccountListQuery,
} from '@tollgate/db/queries/operator/list-accounts';
import { listOutbox } from '@tollgate/db/queries/operator/mails';
import { listPaymentEvents, listPaymentsForOperator } from '@tollgate/db/queries/operator/payments';
import { readProviderHealth } from '@tollgate/db/queries/operator/provider-health';
import { readQueues } from '@tollgate/db/queries/operator/system';
import { listPayments } from '@tollgate/db/queries/payments/payments';
import { readBillingOverview } from '@tollgate/db/queries/payments/payments-overview';
import { findRequest } from '@tollgate/db/queries/requests/find-request';
import { listRequests, type RequestListQuery } from '@tollgate/db/queries/requests/list-requests';
import { listUsageGroups } from '@tollgate/db/queries/usage/report/groups';
import { readUsageSeries } from '@tollgate/db/queries/usage/report/series';
import { readGroupTimes } from '@tollgate/db/queries/usage/report/group-times';
import { readUsageTimes } from '@tollgate/db/queries/usage/report/times';

const DAY_MS = 86_400_000;
const PAGE = 50;

/** An account, a key of it that is asked with much, and one of its requests. */
export interface BusyAccount {
  accountId: string;
  keyId: string;
  /** The most used models, as many as a report distinguishes. */
  keyIds: string[];
  requestId: string;
}

type ConsoleQuery = readonly [name: string, run: () => Promise<unknown>];

/** What the pages of the console ask of the large tables. */
export function listConsoleQueries(db: Database, account: BusyAccount): ConsoleQuery[] {
  return [
    ...requestQueries(db, account),
    ...usageQueries(db, account),
    ...moneyQueries(db, account),
    ...keyQueries(db, account),
    ...operatorQueries(db, account),
  ];
}

function requestQueries(db: Database, { accountId, keyId, requestId }: BusyAccount): ConsoleQuery[] {
  const list = (filter: RequestListQuery['filter'], cursor?: string) =>
    listRequests(db, { accountId, filter, cursor, limit: PAGE, nowMs: Date.now() });
  return [
    ['requests, newest', () => list({})],
    ['requests, far down', () => list({ range: '30d' }, cursorDaysAgo(20))],
    ['requests of a key', () => list({ key: keyId })],
    ['requests of a model', () => list({ model: 'bench-model' })],
    ['requests that failed, of which there are none', () => list({ status: 'failed', range: '90d' })],
    ['requests of a key that cost more than any', () => list({ key: keyId, minCost: '1', range: '90d' })],
    ['one request', () => findRequest(db, { accountId, requestId })],
    ['no request', () => findRequest(db, { accountId, requestId: 'req_nosuchrequest' })],
  ];
}

/** As if a page had ended there. */
function cursorDaysAgo(days: number): string {
  return `${new Date(Date.now() - days * DAY_MS).toISOString().replace('Z', '000Z')}~req_0`;
}

function usageQueries(db: Database, { accountId, keyId, keyIds }: BusyAccount): ConsoleQuery[] {
  const range = (days: number) => ({
    accountId,
    from: new Date(Date.now() - days * DAY_MS),
    to: new Date(),
  });
  const timeZone = 'Europe/Berlin';
  const byDay = { bucket: 'day', timeZone } as const;
  const largest = { order: 'cost', limit: 8 } as const;
  return [
    ['usage by day, 30 days', () => readUsageSeries(db, { ...byDay, range: range(30), groups: null })],
    ['usage by day, 60 days', () => readUsageSeries(db, { ...byDay, range: range(60), groups: null })],
    [
      'usage by hour, 24 hours',
      () => readUsageSeries(db, { range: range(1), bucket: 'hour', timeZone, groups: null }),
    ],
    ['usage by model, 30 days', () => listUsageGroups(db, { ...largest, range: range(30), by: 'model' })],
    ['usage by key, 30 days', () => listUsageGroups(db, { ...largest, range: range(30), by: 'key' })],
    [
      'usage of 8 keys by day, 30 days',
      () =>
        readUsageSeries(db, { ...byDay, range: range(30), groups: { by: 'key', ids: keyIds.slice(0, 8) } }),
    ],
    [
      'usage of a key, 30 days',
      () => readUsageSeries(db, { ...byDay, range: { ...range(30), keyId }, groups: null }),
    ],
    ['times, 7 days', () => readUsageTimes(db, { ...byDay, range: range(7), of: 'latency' })],
    ['times, 30 days', () => readUsageTimes(db, { ...byDay, range: range(30), of: 'latency' })],
    [
      `times of ${keyIds.length} keys, 30 days`,
      () => readGroupTimes(db, { range: range(30), groups: { by: 'key', ids: keyIds } }),
    ],
  ];
}

function moneyQueries(db: Database, { accountId }: BusyAccount): ConsoleQuery[] {
  return [
    ['billing', () => readBillingOverview(db, { accountId, provider: null })],
    ['ledger, newest', () => listLedgerEntries(db, { accountId, limit: PAGE })],
    [
      'ledger, second page',
      async () => {
        const { nextCursor } = await listLedgerEntries(db, { accountId, limit: PAGE });
        return listLedgerEntries(db, { accountId, limit: PAGE, cursor: nextCursor ?? undefined });
      },
    ],
  ];
}

function keyQueries(db: Database, { accountId, keyId }: BusyAccount): ConsoleQuery[] {
  const list = (
    sort: KeySort,
    more: { search?: string; tag?: string; model?: string; state?: KeyState } = {},
  ) =>
    listKeys(db, {
      accountId,
      state: 'active',
      sort,
      isAscending: false,
      limit: PAGE,
      nowMs: Date.now(),
      timeZone: 'UTC',
      ...more,
    });
  return [
    ['keys, newest', () => list('created')],
    ['keys by name', () => list('name')],
    ['keys by spend', () => list('spent')],
    ['keys by last use', () => list('used')],
    ['keys by part of a name', () => list('created', { search: 'Key 777' })],
    ['keys by a part that none has', () => list('created', { search: 'zzzz' })],
    ['keys by part of a name, by spend', () => list('spent', { search: 'Key 777' })],
    ['keys by part of most names, by spend', () => list('spent', { search: 'key' })],
    ['keys by a part that none has, by name', () => list('name', { search: 'zzzz' })],
    ['keys that have ended, of which there are none', () => list('created', { state: 'ended' })],
    ['keys that have ended, by name', () => list('name', { state: 'ended' })],
    ['keys that have ended, by spend', () => list('spent', { state: 'ended' })],
    ['keys that expire soon, by last use', () => list('used', { state: 'expiring' })],
    ['keys that may call a model', () => list('created', { model: 'bench-model' })],
    ['keys that may call a model, by spend', () => list('spent', { model: 'bench-model' })],
    ['keys by a tag that none has', () => list('created', { tag: 'zzzz' })],
    ['counts of keys', () => countKeys(db, { accountId, nowMs: Date.now() })],
    ['tags of keys', () => listKeyTags(db, accountId)],
    ['one key', () => findKeyDetail(db, { accountId, keyId, nowMs: Date.now(), timeZone: 'UTC' })],
  ];
}

function operatorQueries(db: Database, { accountId }: BusyAccount): ConsoleQuery[] {
  const since = new Date(Date.now() - 30 * DAY_MS);
  const accounts = (more: Partial<AccountListQuery> = {}) =>
    listAccountsForOperator(db, { state: 'all', limit: PAGE, since, ...more });
  const audit = (more: { action?: string } = {}) => listAudit(db, { accountId, limit: PAGE, ...more });
  return [
    ['accounts', () => accounts()],
    ['accounts by id', () => accounts({ search: accountId })],
    ['accounts by part of a name', () => accounts({ search: 'ccount 77' })],
    ['accounts by part of an email', () => accounts({ search: 'person77' })],
    ['accounts by a part that none has', () => accounts({ search: 'zzzz' })],
    ['accounts that are suspended, of which there are none', () => accounts({ state: 'suspended' })],
    ['one account', () => findAccountForOperator(db, { accountId, since })],
    ['health of providers', () => readProviderHealth(db, new Date(Date.now() - DAY_MS))],
    ['queues', () => readQueues(db)],
    ['payments', () => listPaymentsForOperator(db, { limit: PAGE })],
    ['payments that failed', () => listPaymentsForOperator(db, { state: 'failed', limit: PAGE })],
    [
      'payments that are disputed, none',
      () => listPaymentsForOperator(db, { state: 'disputed', limit: PAGE }),
    ],
    ['payments of whom none is', () => listPaymentsForOperator(db, { search: 'zzzz', limit: PAGE })],
    ['payments of most', () => listPaymentsForOperator(db, { search: 'PAYER', limit: PAGE })],
    ['events of payments of whom none is', () => listPaymentEvents(db, { search: 'zzzz', limit: PAGE })],
    ['events of payments of most', () => listPaymentEvents(db, { search: 'payer', limit: PAGE })],
    ['payments of an account', () => listPayments(db, { accountId, limit: PAGE })],
    ['events of payments', () => listPaymentEvents(db, { limit: PAGE })],
    ['events of payments, far down', () => listPaymentEvents(db, { cursor: 'evt_90000', limit: PAGE })],
    [
      'events of payments that were refused',
      () => listPaymentEvents(db, { outcome: 'refused', limit: PAGE }),
    ],
    ['mails', () => listOutbox(db, { state: 'all', limit: PAGE })],
    ['mails that wait', () => listOutbox(db, { state: 'waiting', limit: PAGE })],
    ['mails that were given up', () => listOutbox(db, { state: 'given_up', limit: PAGE })],
    ['audit log', () => audit()],
    ['audit log of a kind', () => audit({ action: 'member' })],
    ['audit log of a kind that there is none of', () => audit({ action: 'plan' })],
    [
      'audit log, second page',
      async () => {
        const { nextCursor } = await audit();
        return listAudit(db, { accountId, limit: PAGE, cursor: nextCursor ?? undefined });
      },
    ],
  ];
}
