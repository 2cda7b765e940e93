import { NO_QUIRKS, type ProviderQuirks } from '@tollgate/dialects/openai-chat/quirks/provider-quirks';

/** Accepted by every OpenAI-compatible server: the members of 2023, and reasoning effort. */
export const COMPATIBLE_QUIRKS: ProviderQuirks = {
  ...NO_QUIRKS,
  maxTokensMember: 'max_tokens',
  developerRole: 'none',
};
