import { and, eq } from 'drizzle-orm';
import { routes } from '../../schema/catalogue.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { recordAudit } from '../audit/audit.ts';

export interface RoutePlace {
  id: string;
  /** The lowest is tried first; those of one priority share by weight. */
  priority: number;
  weight: number;
}

/**
 * Reorders all routes of a model.
 * @returns false if these are not the model's routes (any more): nothing has changed
 */
export async function arrangeRoutes(
  db: Connection,
  input: { modelId: string; places: readonly RoutePlace[]; actorUserId: string },
): Promise<boolean> {
  const { modelId, places, actorUserId } = input;
  return inTransaction(db, async (tx) => {
    const held = await tx.drizzle
      .select({ id: routes.id, priority: routes.priority, weight: routes.weight })
      .from(routes)
      .where(eq(routes.modelId, modelId))
      .for('update');
    const ids = new Set(held.map(({ id }) => id));
    const named = new Set(places.map(({ id }) => id));
    if (ids.size !== named.size || places.length !== named.size || places.some(({ id }) => !ids.has(id)))
      return false;
    for (const { id, priority, weight } of places)
      await tx.drizzle
        .update(routes)
        .set({ priority, weight })
        .where(and(eq(routes.id, id), eq(routes.modelId, modelId)));
    const detail = { places: places.map((place) => ({ ...place })), before: { places: held } };
    await recordAudit(tx, { actorUserId, action: 'route.arrange', subject: modelId, detail });
    return true;
  });
}
