import type { Clock } from '@tollgate/core/runtime/clock';
import type { Database } from '@tollgate/db/client';
import { listAudit, type AuditQuery } from '@tollgate/db/queries/audit/list-audit';
import { getActor } from './audit-actor.ts';
import type { Cell } from '../exports/table-text.ts';

const ROWS_AT_ONCE = 1_000;
const LIMIT_MS = 15 * 60_000;

export const AUDIT_COLUMNS = [
  'id',
  'at',
  'actor',
  'actor_email',
  'actor_user_id',
  'action',
  'subject',
  'key_name',
  'detail',
] as const;

/**
 * Actions in an account, newest first, some rows per query.
 * @throws Error after the time limit
 */
export async function* exportAudit(
  { db, clock }: { db: Database; clock: Clock },
  query: Omit<AuditQuery, 'cursor' | 'limit'>,
): AsyncGenerator<Cell[][]> {
  const startMs = clock.nowMs();
  let cursor: string | undefined;
  do {
    if (clock.nowMs() - startMs > LIMIT_MS) throw new Error('The export took too long');
    const page = await listAudit(db, { ...query, cursor, limit: ROWS_AT_ONCE });
    yield page.entries.map((entry): Cell[] => {
      const actor = getActor(entry);
      return [
        entry.id,
        entry.at.toISOString(),
        actor.kind,
        actor.kind === 'person' ? actor.email : null,
        'userId' in actor ? actor.userId : null,
        entry.action,
        entry.subject,
        entry.keyName,
        entry.detail,
      ];
    });
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}
