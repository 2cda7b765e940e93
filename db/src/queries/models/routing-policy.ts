import type { RoutingPolicy } from '@tollgate/core/models/routing-policy';
import { eq } from 'drizzle-orm';
import { models } from '../../schema/catalogue.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { recordAudit } from '../audit/audit.ts';

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
    const [stored] = await tx.drizzle
      .select({
        strategy: models.strategy,
        firstTokenTimeoutMs: models.firstTokenTimeoutMs,
        retryBudgetMs: models.retryBudgetMs,
        contentPolicyFailover: models.contentPolicyFailover,
      })
      .from(models)
      .where(eq(models.id, modelId))
      .for('update');
    if (stored === undefined) return null;
    if (Object.keys(policy).length === 0) return stored;
    await tx.drizzle.update(models).set(policy).where(eq(models.id, modelId));
    await recordAudit(tx, { actorUserId, action: 'model.change', subject: modelId, detail: { ...policy } });
    return { ...stored, ...policy };
  });
}
