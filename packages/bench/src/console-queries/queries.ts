import type { Database } from '@tollgate/db/client';
import { countKeys, listKeys, listKeyTags, type KeySort } from '@tollgate/db/queries/key-list';
import { findKeyDetail } from '@tollgate/db/queries/key-summary';
import { listLedgerEntries } from '@tollgate/db/queries/ledger/list-entries';
import { listAccountsForOperator } from '@tollgate/db/queries/operator/list-accounts';
import { readProviderHealth } from '@tollgate/db/queries/operator/provider-health';
import { readBillingOverview } from '@tollgate/db/queries/payments-overview';
import { findRequest } from '@tollgate/db/queries/requests/find-request';
import { listRequests, type RequestListQuery } from '@tollgate/db/queries/requests/list-requests';
import { listUsageGroups } from '@tollgate/db/queries/usage-report/groups';
import { readUsageSeries } from '@tollgate/db/queries/usage-report/series';
import { readUsageTimes } from '@tollgate/db/queries/usage-report/times';

const DAY_MS = 86_400_000;
const PAGE = 50;

/** An account, a key of it that is asked with much, and one of its requests. */
export interface BusyAccount {
  accountId: string;
  keyId: string;
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
    ...operatorQueries(db),
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

function usageQueries(db: Database, { accountId, keyId }: BusyAccount): ConsoleQuery[] {
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
      'usage of a key, 30 days',
      () => readUsageSeries(db, { ...byDay, range: { ...range(30), keyId }, groups: null }),
    ],
    ['times, 7 days', () => readUsageTimes(db, { ...byDay, range: range(7), of: 'latency' })],
    ['times, 30 days', () => readUsageTimes(db, { ...byDay, range: range(30), of: 'latency' })],
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
  const list = (sort: KeySort, more: { search?: string; tag?: string } = {}) =>
    listKeys(db, {
      accountId,
      state: 'active',
      sort,
      isAscending: false,
      limit: PAGE,
      nowMs: Date.now(),
      ...more,
    });
  return [
    ['keys, newest', () => list('created')],
    ['keys by name', () => list('name')],
    ['keys by spend', () => list('spent')],
    ['keys by last use', () => list('used')],
    ['keys by part of a name', () => list('created', { search: 'Key 777' })],
    ['keys by a part that none has', () => list('created', { search: 'zzzz' })],
    ['keys by a tag that none has', () => list('created', { tag: 'zzzz' })],
    ['counts of keys', () => countKeys(db, { accountId, nowMs: Date.now() })],
    ['tags of keys', () => listKeyTags(db, accountId)],
    ['one key', () => findKeyDetail(db, { accountId, keyId, nowMs: Date.now() })],
  ];
}

function operatorQueries(db: Database): ConsoleQuery[] {
  const since = new Date(Date.now() - 30 * DAY_MS);
  return [
    ['accounts', () => listAccountsForOperator(db, { state: 'all', limit: PAGE, since })],
    ['health of providers', () => readProviderHealth(db, new Date(Date.now() - DAY_MS))],
  ];
}
