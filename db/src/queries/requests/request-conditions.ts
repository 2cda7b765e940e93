import { listFamilies } from '@tollgate/core/clients/clients';
import {
  DEFAULT_REQUEST_RANGE,
  findRangeStart,
  type RequestFilter,
} from '@tollgate/core/requests/request-filter';
import { parseUsd } from '@tollgate/core/money/money';
import { and, eq, gte, inArray, isNotNull, lt, sql, type SQL } from 'drizzle-orm';
import { requests } from '../../schema/requests.ts';

const CURSOR_PATTERN = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)~(req_[0-9A-Za-z]{1,60})$/;

/** A request's position in the log: its start, to the microsecond, and its id. */
export interface RequestPosition {
  startedAt: string;
  id: string;
}

/** The position of a row, as text that a cursor carries. */
export const getPosition = sql<string>`to_char(${requests.startedAt} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '~' || ${requests.id}`;

/** @returns null if the text is not a cursor */
export function parsePosition(cursor: string | undefined): RequestPosition | null {
  const match = CURSOR_PATTERN.exec(cursor ?? '');
  if (match === null) return null;
  const [, startedAt = '', id = ''] = match;
  return { startedAt, id };
}

/** Conditions that an index answers: account, key, session, time range and cursor. */
export function indexedConditions(query: {
  accountId: string;
  filter: RequestFilter;
  after: RequestPosition | null;
  nowMs: number;
}): SQL | undefined {
  const { accountId, filter, after } = query;
  const { from, to } = getSpan(filter, query.nowMs);
  return and(
    eq(requests.accountId, accountId),
    filter.key === undefined ? undefined : eq(requests.keyId, filter.key),
    filter.session === undefined ? undefined : eq(requests.session, filter.session),
    gte(requests.startedAt, from),
    to === null ? undefined : lt(requests.startedAt, to),
    after === null ? undefined : isBefore(after),
  );
}

/** The next page in the other direction: requests that started later. */
export function isAfter({ startedAt, id }: RequestPosition): SQL {
  return sql`(${requests.startedAt}, ${requests.id}) > (${startedAt}::timestamptz, ${id})`;
}

/** Conditions that are checked for each row; undefined: none. */
export function rowConditions(filter: RequestFilter): SQL | undefined {
  const minCost = filter.minCost === undefined ? null : parseUsd(filter.minCost);
  return and(
    filter.model === undefined ? undefined : eq(requests.model, filter.model),
    filter.code === undefined ? undefined : eq(requests.errorCode, filter.code),
    filter.status === undefined ? undefined : hasStatus(filter.status),
    minCost === null ? undefined : gte(requests.costNanoUsd, minCost),
    filter.client === undefined ? undefined : isFromClient(filter.client),
  );
}

/** The time that a filter names, or the default one: no list reaches over the whole past. */
function getSpan(filter: RequestFilter, nowMs: number): { from: Date; to: Date | null } {
  const { range = DEFAULT_REQUEST_RANGE, zone: timeZone = 'UTC' } = filter;
  const to = filter.to === undefined ? null : new Date(filter.to);
  if (filter.from !== undefined) return { from: new Date(filter.from), to };
  return { from: new Date(findRangeStart(range, { timeZone, nowMs: to?.getTime() ?? nowMs })), to };
}

function isBefore({ startedAt, id }: RequestPosition): SQL {
  return sql`(${requests.startedAt}, ${requests.id}) < (${startedAt}::timestamptz, ${id})`;
}

/** The family is the first word. */
function isFromClient(client: string): SQL {
  return inArray(sql`split_part(${requests.client}, ' ', 1)`, [...listFamilies(client)]);
}

function hasStatus(status: string): SQL | undefined {
  if (status === 'open') return eq(requests.state, 'held');
  if (status === 'failed') return isNotNull(requests.errorCode);
  const hundreds = /^(\d)xx$/.exec(status)?.[1];
  if (hundreds === undefined) return eq(requests.status, Number(status));
  const first = Number(hundreds) * 100;
  return and(gte(requests.status, first), lt(requests.status, first + 100));
}
