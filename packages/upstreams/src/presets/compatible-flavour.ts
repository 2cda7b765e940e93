import { OPENAI_FLAVOUR, type OpenAiChatFlavour } from '@tollgate/dialects/openai-chat/flavour';

/** Accepted by every OpenAI-compatible server: the members of 2023, and reasoning effort. */
export const COMPATIBLE_FLAVOUR: OpenAiChatFlavour = {
  ...OPENAI_FLAVOUR,
  maxTokensMember: 'max_tokens',
  developerRole: 'none',
};
