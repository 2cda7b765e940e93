/** Typical output rate of models, for estimates if a model's own rate is unknown. */
export const TYPICAL_TOKENS_PER_SECOND = 40;
