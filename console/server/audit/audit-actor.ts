import type { ListedAudit } from '@tollgate/db/queries/audit/list-audit';

/** Who did it. `operator`: of the installation; `installation`: the command line, or the system itself. */
export type AuditActor =
  | { kind: 'person'; userId: string; email: string }
  | { kind: 'operator' }
  | { kind: 'deleted_user'; userId: string }
  | { kind: 'installation' };

/** Operators act for the installation: which of them it was is for the operators' own log. */
export function getActor({ actorUserId, actorEmail, isOperator }: ListedAudit): AuditActor {
  if (actorUserId === null) return { kind: 'installation' };
  if (isOperator) return { kind: 'operator' };
  if (actorEmail === null) return { kind: 'deleted_user', userId: actorUserId };
  return { kind: 'person', userId: actorUserId, email: actorEmail };
}
