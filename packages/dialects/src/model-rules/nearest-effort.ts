import { REASONING_EFFORTS, type ReasoningEffort } from '@tollgate/core/completion/request';

/**
 * The effort that takes the place of one that a model may not have: the next lower one, else the lowest. `none` takes no
 * other effort's place.
 * @param efforts at least one
 */
export function getNearestEffort(
  effort: ReasoningEffort,
  efforts: readonly ReasoningEffort[],
): ReasoningEffort | undefined {
  if (efforts.includes(effort)) return effort;
  const rank = REASONING_EFFORTS.indexOf(effort);
  const thinking = efforts.filter((other) => other !== 'none');
  return thinking.findLast((other) => REASONING_EFFORTS.indexOf(other) < rank) ?? thinking[0];
}

/** The value as an effort; null: it is not one. */
export function readEffort(value: unknown): ReasoningEffort | null {
  return REASONING_EFFORTS.find((effort) => effort === value) ?? null;
}

/** The effort that corresponds to the share of the output that a budget of reasoning may use. */
export function getEffortOfShare(share: number): ReasoningEffort {
  if (share >= 0.75) return 'high';
  return share >= 0.35 ? 'medium' : 'low';
}
