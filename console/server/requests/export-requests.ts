import type { Clock } from '@tollgate/core/runtime/clock';
import { formatUsd } from '@tollgate/core/money/money';
import type { RequestFilter } from '@tollgate/core/requests/request-filter';
import type { Database } from '@tollgate/db/client';
import { listRequests } from '@tollgate/db/queries/requests/list-requests';
import type { RequestRow } from '@tollgate/db/queries/requests/request-row';
import { exportPages, getNames, type ExportColumn } from '../exports/export-pages.ts';
import type { Cell } from '../exports/table-text.ts';

const COLUMNS: readonly ExportColumn<RequestRow>[] = [
  ['id', (row) => row.id],
  ['started_at', (row) => row.startedAt.toISOString()],
  ['key_id', (row) => row.keyId],
  ['key_name', (row) => row.keyName],
  ['key_tags', (row) => row.keyTags],
  ['endpoint', (row) => row.endpoint],
  ['model', (row) => row.model],
  ['streamed', (row) => row.streamed],
  ['state', (row) => (row.state === 'held' ? 'open' : 'ended')],
  ['status', (row) => (row.state === 'held' ? null : row.status)],
  ['error_code', (row) => row.errorCode],
  ['error_message', (row) => row.errorMessage],
  ['error_param', (row) => row.errorParam],
  ['input_tokens', (row) => row.inputTokens],
  ['cache_read_tokens', (row) => row.cacheReadTokens],
  ['cache_write_tokens', (row) => row.cacheWriteTokens],
  ['cache_write_1h_tokens', (row) => row.cacheWrite1hTokens],
  ['output_tokens', (row) => row.outputTokens],
  ['estimated', (row) => row.estimated],
  ['cost_usd', (row) => (row.state === 'held' ? null : formatUsd(row.costNanoUsd))],
  ['latency_ms', (row) => (row.state === 'held' ? null : row.latencyMs)],
  ['first_byte_ms', (row) => row.firstByteMs],
  ['client', (row) => row.client],
  ['session', (row) => row.session],
];

export const REQUEST_COLUMNS = getNames(COLUMNS);

/** All requests that match a filter, newest first. */
export function exportRequests(
  { db, clock }: { db: Database; clock: Clock },
  query: { accountId: string; filter: RequestFilter },
): AsyncGenerator<Cell[][]> {
  const nowMs = clock.nowMs();
  return exportPages({
    clock,
    columns: COLUMNS,
    async read(page) {
      const { requests, nextCursor } = await listRequests(db, { ...query, ...page, nowMs });
      return { rows: requests, nextCursor };
    },
  });
}
