import { formatUsd } from '@tollgate/core/money/money';
import { listKeys, type KeyState } from '@tollgate/db/queries/keys/key-list';
import type { KeySummary } from '@tollgate/db/queries/keys/key-summary';
import { keyTagSchema } from '@tollgate/core/keys/key-tags';
import { timeZoneSchema } from '@tollgate/core/requests/last-days';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { exportPages, getNames, type ExportColumn } from '../exports/export-pages.ts';
import type { Cell } from '../exports/table-text.ts';

const COLUMNS: readonly ExportColumn<KeySummary>[] = [
  ['id', ({ id }) => id],
  ['name', ({ name }) => name],
  ['tags', ({ tags }) => tags],
  ['created_at', ({ createdAt }) => createdAt.toISOString()],
  ['expires_at', ({ expiresAt }) => expiresAt?.toISOString() ?? null],
  ['revoked_at', ({ revokedAt }) => revokedAt?.toISOString() ?? null],
  ['last_used_at', ({ lastUsedAt }) => lastUsedAt?.toISOString() ?? null],
  ['requests_last_7_days', ({ last7Days }) => last7Days.requests],
  ['cost_last_7_days_usd', ({ last7Days }) => formatUsd(last7Days.costNanoUsd)],
  // What a rotation moved between keys counts once.
  ['spent_usd', ({ spentNanoUsd, carriedNanoUsd }) => formatUsd(spentNanoUsd - carriedNanoUsd)],
  [
    'budget_usd',
    ({ maxBudgetNanoUsd, carriedNanoUsd }) =>
      maxBudgetNanoUsd === null ? null : formatUsd(maxBudgetNanoUsd - carriedNanoUsd),
  ],
];

export const KEY_COLUMNS = getNames(COLUMNS);

/** The same filter as the page. */
export const keyExportSchema = z.object({
  state: z.enum(['active', 'expiring', 'ended']).default('active') satisfies z.ZodType<KeyState>,
  search: z.string().trim().max(100).optional(),
  model: z.string().max(200).optional(),
  tag: keyTagSchema.optional(),
  zone: timeZoneSchema.default('UTC'),
});

/** The keys of an account with what they spent, newest first. */
export function exportKeys(
  { db, clock }: Deps,
  { zone, ...query }: z.output<typeof keyExportSchema> & { accountId: string },
): AsyncGenerator<Cell[][]> {
  const nowMs = clock.nowMs();
  return exportPages({
    clock,
    columns: COLUMNS,
    async read({ cursor, limit }) {
      const { keys, nextCursor } = await listKeys(db, {
        ...query,
        sort: 'created',
        isAscending: false,
        cursor: cursor === undefined ? undefined : parseCursor(cursor),
        limit,
        nowMs,
        timeZone: zone,
      });
      return { rows: keys, nextCursor: nextCursor === null ? null : JSON.stringify(nextCursor) };
    },
  });
}

const cursorSchema = z.object({ value: z.string(), id: z.string() });
const parseCursor = (cursor: string) => cursorSchema.parse(JSON.parse(cursor));
