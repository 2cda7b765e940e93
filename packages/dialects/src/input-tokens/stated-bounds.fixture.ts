import type { ModelFamily } from './token-weights.ts';

/** The bound of each family, as `docs/token-counts.md` states it: the larger of a share of the count and some tokens. */
export const STATED_BOUNDS: Record<ModelFamily, { share: number; tokens: number }> = {
  openai: { share: 0.2, tokens: 15 },
  anthropic: { share: 0.2, tokens: 30 },
  other: { share: 0.5, tokens: 150 },
};

/** Maximum median error of a family, as a share of the count. */
export const STATED_HALVES = { openai: 0.05, anthropic: 0.015 };

/** Recorded requests that are compared. */
export const STATED_REQUESTS = 101;
