import { createId } from '@tollgate/core/runtime/ids';
import { auditLog } from '../../schema/audit-log.ts';
import type { Connection } from '../../transaction.ts';

export interface AuditEntry {
  /** null: the command line, or an unknown actor. */
  actorUserId: string | null;
  /** null: it concerns a person, not an account. */
  accountId?: string | null;
  /** `user.password_changed`, … */
  action: string;
  /** The id of what was acted on. */
  subject: string;
  /** Never a secret. */
  detail?: Record<string, unknown>;
}

/**
 * The detail of a change: the new values, and as `before` the former values that differ.
 * @param stored may have more fields, which are left out
 */
export function describeChange(
  stored: object,
  changed: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const former = new Map<string, unknown>(Object.entries(stored));
  const before = Object.entries(changed).filter(
    ([field, value]) =>
      value !== undefined && former.has(field) && JSON.stringify(former.get(field)) !== JSON.stringify(value),
  );
  return { ...changed, before: Object.fromEntries(before.map(([field]) => [field, former.get(field)])) };
}

export async function recordAudit(db: Connection, entry: AuditEntry): Promise<void> {
  await db.drizzle.insert(auditLog).values({ id: createId('aud'), ...entry });
}
