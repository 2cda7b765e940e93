/**
 * When a fallback model is tried: if no route of the model answers for any reason (`failure`) or because the providers have too
 * much to do (`overload`), if the input is too long (`context`), or if a provider refuses the content (`policy`).
 */
export const FALLBACK_CLASSES = ['failure', 'overload', 'context', 'policy'] as const;
export type FallbackClass = (typeof FALLBACK_CLASSES)[number];

/** A refusal of the content is passed on only if the operator says so. */
export const DEFAULT_FALLBACK_CLASSES: readonly FallbackClass[] = ['failure', 'context'];

/** Of one model. */
export const MAX_FALLBACK_MODELS = 5;

/** A model that a request goes to if the routes of another model fail. */
export interface FallbackModel {
  modelId: string;
  classes: readonly FallbackClass[];
}
