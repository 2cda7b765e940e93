import type { TokenUsage } from '@tollgate/core/money/money';

/** The input of one request, as a prompt cache divides it. */
export type CachedInput = Pick<TokenUsage, 'inputTokens' | 'cacheReadTokens' | 'cacheWriteTokens'>;

/** Every four characters are a token here. */
export const CHARACTERS_PER_TOKEN = 4;

export const countTokens = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN);
