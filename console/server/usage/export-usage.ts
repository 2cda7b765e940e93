import type { Clock } from '@tollgate/core/runtime/clock';
import { formatUsd } from '@tollgate/core/money/money';
import type { Database } from '@tollgate/db/client';
import { listUsageForExport, type ExportedUsage } from '@tollgate/db/queries/usage/report/export';
import { nameKeys, type NamedKey } from '@tollgate/db/queries/usage/report/groups';
import { findUsagePeriods } from '@tollgate/db/queries/usage/report/periods';
import type { Cell } from '../exports/table-text.ts';
import type { UsageExportQuery } from './usage-query.ts';

const ROWS_AT_ONCE = 1_000;
const LIMIT_MS = 15 * 60_000;

const FIGURE_COLUMNS = [
  'requests',
  'failed',
  'input_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'cache_write_1h_tokens',
  'output_tokens',
  'cost_usd',
] as const;

/** `from`: when the step begins, in UTC. */
export function usageColumns(groupBy: UsageExportQuery['groupBy']): string[] {
  switch (groupBy) {
    case 'model':
      return ['from', 'model', ...FIGURE_COLUMNS];
    case 'key':
      return ['from', 'key_id', 'key_name', 'key_tags', ...FIGURE_COLUMNS];
    case 'tag':
      return ['from', 'tag', ...FIGURE_COLUMNS];
    case 'status':
      return ['from', ...FIGURE_COLUMNS];
  }
}

/**
 * The usage of an account per interval, oldest first, in batches. Each batch is a separate query, so that a slow
 * reader holds neither a connection nor a snapshot of the database.
 * @throws Error after the time limit
 */
export async function* exportUsage(
  { db, clock }: { db: Database; clock: Clock },
  query: UsageExportQuery & { accountId: string },
): AsyncGenerator<Cell[][]> {
  const nowMs = clock.nowMs();
  const { accountId, keyId, model, tag, groupBy } = query;
  const { current } = await findUsagePeriods(db, { ...query, nowMs });
  for (const [index, start] of current.starts.entries()) {
    const from = start < current.from ? current.from : start;
    const range = { accountId, from, to: current.starts[index + 1] ?? current.to, keyId, model, tag };
    let after: string | undefined;
    do {
      if (clock.nowMs() - nowMs > LIMIT_MS) throw new Error('The export took too long');
      const by = groupBy === 'status' ? null : groupBy;
      const rows = await listUsageForExport(db, { range, by, after, limit: ROWS_AT_ONCE });
      const ids = groupBy === 'key' ? rows.map(({ group }) => group) : [];
      const keys = new Map((await nameKeys(db, { accountId, ids, nowMs })).map((key) => [key.id, key]));
      if (rows.length > 0)
        yield rows.map((row) => toCells(row, { start, groupBy, key: keys.get(row.group) ?? null }));
      after = rows.length < ROWS_AT_ONCE ? undefined : rows.at(-1)?.group;
    } while (after !== undefined);
  }
}

interface RowPlace {
  start: Date;
  groupBy: UsageExportQuery['groupBy'];
  /** null: not a group of a key, or the key was deleted. */
  key: NamedKey | null;
}

function toCells(row: ExportedUsage, { start, groupBy, key }: RowPlace): Cell[] {
  const group: Record<UsageExportQuery['groupBy'], Cell[]> = {
    model: [row.group],
    key: [row.group, key?.name ?? null, key?.tags ?? null],
    tag: [row.group],
    status: [],
  };
  return [
    start.toISOString(),
    ...group[groupBy],
    row.requests,
    row.errors,
    row.inputTokens,
    row.cacheReadTokens,
    row.cacheWriteTokens,
    row.cacheWrite1hTokens,
    row.outputTokens,
    formatUsd(row.costNanoUsd),
  ];
}
