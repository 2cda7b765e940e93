import type { Dialect } from '@tollgate/core/models/dialect';

/** Every name of the output limit in chat completions, the oldest first. A newer name takes precedence. */
export const CHAT_LIMIT_MEMBERS = ['max_tokens', 'max_completion_tokens'] as const;

export type ChatLimitMember = (typeof CHAT_LIMIT_MEMBERS)[number];

/**
 * The names that a provider obeys, by the name that its preset gives (`maxTokensMember`). Any other name is replaced by that
 * one.
 */
export const TAKEN_LIMIT_MEMBERS: { readonly [Name in ChatLimitMember]: readonly ChatLimitMember[] } = {
  max_tokens: ['max_tokens'],
  // OpenAI refuses both members in one request, and obeys either.
  max_completion_tokens: ['max_tokens', 'max_completion_tokens'],
};

const BY_DIALECT: { readonly [Name in Dialect]: readonly string[] } = {
  'openai-chat': CHAT_LIMIT_MEMBERS,
  'anthropic-messages': ['max_tokens'],
  'openai-responses': ['max_output_tokens'],
};

/** The names of the output limit in all dialects. */
export const LIMIT_MEMBERS: readonly string[] = [...new Set(Object.values(BY_DIALECT).flat())];
