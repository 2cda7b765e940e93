import type { ReasoningEffort } from '@tollgate/core/completion/request';
import { findOpenAiRules } from './find-model-rules.ts';

/**
 * The effort that turns the reasoning of a model off, or comes closest to it.
 * @returns null: none is sent, because the model does not reason or because it is unknown
 */
export function findLeastEffort(model: string): { effort: ReasoningEffort | null; isOff: boolean } {
  const efforts = findOpenAiRules(model)?.efforts ?? null;
  if (efforts === null) return { effort: null, isOff: false };
  const [lowest = null] = efforts;
  return { effort: lowest, isOff: lowest === null || lowest === 'none' };
}
