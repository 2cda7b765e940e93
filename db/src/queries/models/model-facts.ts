import { MODEL_CAPABILITIES, parseModelCapabilities } from '@tollgate/core/models/model-capabilities';
import type { ModelFactsTerms } from '@tollgate/core/models/model-facts';
import type { RoutingPolicy } from '@tollgate/core/models/routing-policy';
import { eq } from 'drizzle-orm';
import { models } from '../../schema/catalogue.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { describeChange, recordAudit } from '../audit/audit.ts';

/** The facts of a model as they are stored, without its price. */
export type ModelFacts = Omit<
  typeof models.$inferSelect,
  'id' | 'createdAt' | 'fromPattern' | keyof RoutingPolicy
>;

/** @param facts validated by the schema */
export function encodeModelFacts(facts: ModelFactsTerms): ModelFacts {
  return {
    title: facts.title === '' ? null : facts.title,
    contextTokens: facts.contextTokens,
    maxOutputTokens: facts.maxOutputTokens,
    capabilities: facts.capabilities,
    retiresAt: facts.retiresAt === null ? null : new Date(facts.retiresAt),
  };
}

/** The facts as an operator enters them, without capabilities of a newer release. */
export function decodeModelFacts(facts: ModelFacts): ModelFactsTerms {
  return {
    title: facts.title ?? '',
    contextTokens: facts.contextTokens,
    maxOutputTokens: facts.maxOutputTokens,
    capabilities: parseModelCapabilities(facts.capabilities),
    retiresAt: facts.retiresAt?.toISOString() ?? null,
  };
}

/** Changes a model's facts, not its price. @returns false if there is no model of that id */
export async function changeModelFacts(
  db: Connection,
  change: { modelId: string; facts: ModelFacts; actorUserId: string },
): Promise<boolean> {
  const { modelId, facts, actorUserId } = change;
  return inTransaction(db, async (tx) => {
    const [stored] = await tx.drizzle.select().from(models).where(eq(models.id, modelId)).for('update');
    if (stored === undefined) return false;
    const next = { ...facts, capabilities: keepUnknown(stored.capabilities, facts.capabilities) };
    const changed = Object.fromEntries(
      Object.entries(next).filter(([name, value]) => !isSame(Reflect.get(stored, name), value)),
    );
    if (Object.keys(changed).length === 0) return true;
    await tx.drizzle.update(models).set(changed).where(eq(models.id, modelId));
    await recordAudit(tx, {
      actorUserId,
      action: 'model.change',
      subject: modelId,
      detail: describeChange(stored, changed),
    });
    return true;
  });
}

/** Keeps capabilities of a newer release: the form did not show them, so leaving them out is not a removal. */
function keepUnknown(stored: readonly string[], chosen: readonly string[]): string[] {
  const known = new Set<string>(MODEL_CAPABILITIES);
  return [...chosen, ...stored.filter((name) => !known.has(name))];
}

/** The facts are texts, numbers, dates, and names in any order. */
function isSame(before: unknown, after: unknown): boolean {
  const text = (value: unknown) =>
    JSON.stringify(Array.isArray(value) ? value.map(String).toSorted() : value);
  return text(before) === text(after);
}
