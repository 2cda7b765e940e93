import type { Clock } from '@tollgate/core/runtime/clock';
import { formatUsd } from '@tollgate/core/money/money';
import type { RequestFilter } from '@tollgate/core/requests/request-filter';
import type { Database } from '@tollgate/db/client';
import { listRequests } from '@tollgate/db/queries/requests/list-requests';
import type { RequestRow } from '@tollgate/db/queries/requests/request-row';
import type { Cell } from '../exports/table-text.ts';

const ROWS_AT_ONCE = 1_000;
/** At most some millions of rows, at the pace of the reader. */
const LIMIT_MS = 15 * 60_000;

type Column = { name: string; of: (row: RequestRow) => Cell };

const COLUMNS: readonly Column[] = [
  { name: 'id', of: (row) => row.id },
  { name: 'started_at', of: (row) => row.startedAt.toISOString() },
  { name: 'key_id', of: (row) => row.keyId },
  { name: 'key_name', of: (row) => row.keyName },
  { name: 'endpoint', of: (row) => row.endpoint },
  { name: 'model', of: (row) => row.model },
  { name: 'streamed', of: (row) => row.streamed },
  { name: 'state', of: (row) => (row.state === 'held' ? 'open' : 'ended') },
  { name: 'status', of: (row) => (row.state === 'held' ? null : row.status) },
  { name: 'error_code', of: (row) => row.errorCode },
  { name: 'error_message', of: (row) => row.errorMessage },
  { name: 'error_param', of: (row) => row.errorParam },
  { name: 'input_tokens', of: (row) => row.inputTokens },
  { name: 'cache_read_tokens', of: (row) => row.cacheReadTokens },
  { name: 'cache_write_tokens', of: (row) => row.cacheWriteTokens },
  { name: 'cache_write_1h_tokens', of: (row) => row.cacheWrite1hTokens },
  { name: 'output_tokens', of: (row) => row.outputTokens },
  { name: 'estimated', of: (row) => row.estimated },
  { name: 'cost_usd', of: (row) => (row.state === 'held' ? null : formatUsd(row.costNanoUsd)) },
  { name: 'latency_ms', of: (row) => (row.state === 'held' ? null : row.latencyMs) },
  { name: 'first_byte_ms', of: (row) => row.firstByteMs },
  { name: 'client', of: (row) => row.client },
];

export const REQUEST_COLUMNS = COLUMNS.map((column) => column.name);

/**
 * All requests that match a filter, newest first, in batches. Each batch is a separate query, so that a slow reader
 * holds neither a connection nor a snapshot of the database.
 * @throws Error after the time limit
 */
export async function* exportRequests(
  { db, clock }: { db: Database; clock: Clock },
  query: { accountId: string; filter: RequestFilter },
): AsyncGenerator<Cell[][]> {
  const nowMs = clock.nowMs();
  let cursor: string | undefined;
  do {
    if (clock.nowMs() - nowMs > LIMIT_MS) throw new Error('The export took too long');
    const page = await listRequests(db, { ...query, cursor, limit: ROWS_AT_ONCE, nowMs });
    if (page.requests.length > 0) yield page.requests.map((row) => COLUMNS.map((column) => column.of(row)));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}
