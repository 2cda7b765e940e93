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

export async function recordAudit(db: Connection, entry: AuditEntry): Promise<void> {
  await db.drizzle.insert(auditLog).values({ id: createId('aud'), ...entry });
}
