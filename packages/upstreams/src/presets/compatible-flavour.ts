import { OPENAI_FLAVOUR, type OpenAiChatFlavour } from '@tollgate/dialects/openai-chat/flavour';

/** What every server that calls itself compatible with OpenAI takes: the members of 2023, and efforts of reasoning. */
export const COMPATIBLE_FLAVOUR: OpenAiChatFlavour = {
  ...OPENAI_FLAVOUR,
  maxTokensMember: 'max_tokens',
  developerRole: 'none',
};
