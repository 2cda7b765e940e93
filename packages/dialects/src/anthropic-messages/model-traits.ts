/** Features that the models of one version accept; the api answers 400 to any other. */
export interface ModelTraits {
  /** `thinking` as `adaptive`, with an effort: from Claude 4.6 on. */
  thinksAdaptively: boolean;
  /** `thinking` with `budget_tokens`: up to Claude 4.6. */
  takesBudget: boolean;
  /** `temperature`, `top_p` and `top_k`: up to Claude 4.6. */
  takesSampling: boolean;
  /** Messages of the role `system` among the others: from Claude 4.8 on. */
  takesSystemInside: boolean;
}

/** `claude-opus-4-8`, `claude-3-7-sonnet-20250219`, `anthropic/claude-haiku-4.5`; eight digits are a date. */
const VERSION = /claude-(?:[a-z]+-)?(\d)(?:[-.](\d{1,2}))?(?!\d)/;

/**
 * Derives what a model accepts from its name (https://docs.anthropic.com/en/docs/about-claude/models/migration-guide). A
 * name without a version, such as another maker's model behind this dialect, gets the oldest forms, which are the most
 * widely supported.
 */
export function modelTraits(model: string): ModelTraits {
  const match = VERSION.exec(model.toLowerCase());
  const version = match === null ? 0 : Number(match[1]) * 100 + Number(match[2] ?? 0);
  return {
    thinksAdaptively: version >= 406,
    takesBudget: version <= 406,
    takesSampling: version <= 406,
    takesSystemInside: version >= 408,
  };
}
