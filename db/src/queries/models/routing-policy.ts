import { ROUTING_FIELDS, type RoutingPolicy } from '@tollgate/core/models/routing-policy';
import { eq } from 'drizzle-orm';
import { models } from '../../schema/catalogue.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { describeChange, recordAudit } from '../audit/audit.ts';

const POLICY = {
  strategy: models.strategy,
  firstTokenTimeoutMs: models.firstTokenTimeoutMs,
  hedgeAfterMs: models.hedgeAfterMs,
  retryBudgetMs: models.retryBudgetMs,
  contentPolicyFailover: models.contentPolicyFailover,
  continueStreams: models.continueStreams,
  healthCheckIntervalS: models.healthCheckIntervalS,
} satisfies Record<keyof RoutingPolicy, unknown>;

/** @returns null if there is no model of that id */
export async function findRoutingPolicy(db: Connection, modelId: string): Promise<RoutingPolicy | null> {
  const [stored] = await db.drizzle.select(POLICY).from(models).where(eq(models.id, modelId));
  return stored ?? null;
}

/**
 * Changes how a model's requests are routed; what is not given stays.
 * @returns the whole policy; null if there is no model of that id
 */
export async function changeRoutingPolicy(
  db: Connection,
  change: { modelId: string; policy: Partial<RoutingPolicy>; actorUserId: string | null },
): Promise<RoutingPolicy | null> {
  const { modelId, policy, actorUserId } = change;
  return inTransaction(db, async (tx) => {
    const [stored] = await tx.drizzle.select(POLICY).from(models).where(eq(models.id, modelId)).for('update');
    if (stored === undefined) return null;
    const fields = ROUTING_FIELDS.filter(
      (field) => policy[field] !== undefined && policy[field] !== stored[field],
    );
    if (fields.length === 0) return stored;
    const changed = Object.fromEntries(fields.map((field) => [field, policy[field]]));
    await tx.drizzle.update(models).set(changed).where(eq(models.id, modelId));
    await recordAudit(tx, {
      actorUserId,
      action: 'model.change',
      subject: modelId,
      detail: describeChange(stored, changed),
    });
    return { ...stored, ...policy };
  });
}
