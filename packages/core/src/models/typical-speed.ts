/** Typical output speed of models, for estimates if a model's own speed is unknown. */
export const TYPICAL_TOKENS_PER_SECOND = 40;
