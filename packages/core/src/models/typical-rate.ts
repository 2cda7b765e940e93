/** What most models write: for estimates where a model's own rate is not known. */
export const TYPICAL_TOKENS_PER_SECOND = 40;
