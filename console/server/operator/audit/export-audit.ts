import type { Clock } from '@tollgate/core/runtime/clock';
import type { Database } from '@tollgate/db/client';
import { listInstallationAudit } from '@tollgate/db/queries/audit/list-installation-audit';
import type { Cell } from '../../exports/table-text.ts';
import type { InstallationAuditFilter } from './audit-filter.ts';

const ROWS_AT_ONCE = 1_000;
const LIMIT_MS = 15 * 60_000;

export const INSTALLATION_AUDIT_COLUMNS = [
  'id',
  'at',
  'actor_email',
  'actor_user_id',
  'action',
  'subject',
  'subject_name',
  'account_id',
  'account_name',
  'before',
  'detail',
] as const;

/**
 * Actions of operators and the command line, newest first, some rows per query.
 * @throws Error after the time limit
 */
export async function* exportInstallationAudit(
  { db, clock }: { db: Database; clock: Clock },
  filter: InstallationAuditFilter,
): AsyncGenerator<Cell[][]> {
  const startMs = clock.nowMs();
  let cursor: string | undefined;
  do {
    if (clock.nowMs() - startMs > LIMIT_MS) throw new Error('The export took too long');
    const page = await listInstallationAudit(db, { ...filter, cursor, limit: ROWS_AT_ONCE });
    yield page.entries.map(({ detail: { before, ...detail }, ...entry }): Cell[] => [
      entry.id,
      entry.at.toISOString(),
      entry.actorEmail,
      entry.actorUserId,
      entry.action,
      entry.subject,
      entry.subjectName,
      entry.accountId,
      entry.accountName,
      before === undefined ? null : toCell(before),
      detail,
    ]);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/** An object stays one in JSON. */
function toCell(value: unknown): Cell {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? { ...value } : JSON.stringify(value);
}
