import { allowedModelSchema, isMeantBy, isModelPattern } from '@tollgate/core/models/model-pattern';
import type { Model } from './trpc.ts';

/** A pattern that can be chosen like a model. */
export interface PatternMatch {
  /** The pattern: `claude-*`. */
  id: string;
  /** The models that it means now. */
  count: number;
}

/** The pattern in a search text, with the models that it means; null: the text is none, or it means no model. */
export function matchPattern<T extends Pick<Model, 'id'>>(
  models: readonly T[],
  text: string,
): { option: PatternMatch; models: T[] } | null {
  const id = text.trim();
  if (!isModelPattern(id) || !allowedModelSchema.safeParse(id).success) return null;
  const meant = models.filter((model) => isMeantBy(id, model.id));
  return meant.length === 0 ? null : { option: { id, count: meant.length }, models: meant };
}
