import {
  MAX_FALLBACK_MODELS,
  type FallbackClass,
  type FallbackModel,
} from '@tollgate/core/models/fallback-model';
import { and, asc, eq } from 'drizzle-orm';
import { modelFallbacks, models } from '../../schema/catalogue.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { describeChange, recordAudit } from '../audit/audit.ts';

export type FallbackDenial = 'unknown_model' | 'unknown_fallback' | 'same_model' | 'too_many';

/** Adds a fallback model as the last one of a model, or changes when it is tried. */
export async function putFallbackModel(
  db: Connection,
  input: {
    modelId: string;
    fallbackId: string;
    classes: readonly FallbackClass[];
    actorUserId: string | null;
  },
): Promise<{ ok: true } | { ok: false; reason: FallbackDenial }> {
  const { modelId, fallbackId, actorUserId } = input;
  const classes = [...input.classes];
  if (modelId === fallbackId) return { ok: false, reason: 'same_model' };
  return inTransaction(db, async (tx) => {
    // Two that add one at the same time take turns.
    if (!(await lockModel(tx, modelId))) return { ok: false, reason: 'unknown_model' };
    const [fallback] = await tx.drizzle
      .select({ id: models.id })
      .from(models)
      .where(eq(models.id, fallbackId));
    if (fallback === undefined) return { ok: false, reason: 'unknown_fallback' };
    const known = await readFallbacks(tx, modelId);
    const isNew = known.every((each) => each.fallbackId !== fallbackId);
    if (isNew && known.length >= MAX_FALLBACK_MODELS) return { ok: false, reason: 'too_many' };
    const position = (known.at(-1)?.position ?? -1) + 1;
    await tx.drizzle
      .insert(modelFallbacks)
      .values({ modelId, fallbackId, position, classes })
      .onConflictDoUpdate({ target: [modelFallbacks.modelId, modelFallbacks.fallbackId], set: { classes } });
    const former = known.find((each) => each.fallbackId === fallbackId);
    const detail = { fallbackId, ...describeChange({ classes: former?.classes ?? null }, { classes }) };
    await recordAudit(tx, { actorUserId, action: 'model.change', subject: modelId, detail });
    return { ok: true };
  });
}

/** @returns false if the model has no such fallback model */
export async function removeFallbackModel(
  db: Connection,
  input: { modelId: string; fallbackId: string; actorUserId: string | null },
): Promise<boolean> {
  const { modelId, fallbackId, actorUserId } = input;
  return inTransaction(db, async (tx) => {
    const removed = await tx.drizzle
      .delete(modelFallbacks)
      .where(and(eq(modelFallbacks.modelId, modelId), eq(modelFallbacks.fallbackId, fallbackId)))
      .returning({ classes: modelFallbacks.classes });
    const [former] = removed;
    if (former === undefined) return false;
    const detail = { fallbackId, ...describeChange(former, { classes: null }) };
    await recordAudit(tx, { actorUserId, action: 'model.change', subject: modelId, detail });
    return true;
  });
}

/** The fallback models of every model that has some, in the order in which they are tried. */
export async function listFallbackModels(db: Connection): Promise<Map<string, FallbackModel[]>> {
  const rows = await db.drizzle.select().from(modelFallbacks).orderBy(asc(modelFallbacks.position));
  const byModel = Map.groupBy(rows, ({ modelId }) => modelId);
  return new Map(
    [...byModel].map(([modelId, own]) => [
      modelId,
      own.map(({ fallbackId, classes }) => ({ modelId: fallbackId, classes })),
    ]),
  );
}

async function lockModel(tx: Connection, modelId: string): Promise<boolean> {
  const [model] = await tx.drizzle
    .select({ id: models.id })
    .from(models)
    .where(eq(models.id, modelId))
    .for('update');
  return model !== undefined;
}

function readFallbacks(tx: Connection, modelId: string) {
  return tx.drizzle
    .select()
    .from(modelFallbacks)
    .where(eq(modelFallbacks.modelId, modelId))
    .orderBy(asc(modelFallbacks.position));
}
