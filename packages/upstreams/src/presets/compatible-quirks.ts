import { NO_QUIRKS, type ProviderQuirks } from '@tollgate/dialects/openai-chat/quirks/provider-quirks';

/** Accepted by every OpenAI-compatible server: the members of 2023, and reasoning effort. */
export const COMPATIBLE_QUIRKS: ProviderQuirks = {
  ...NO_QUIRKS,
  maxTokensMember: 'max_tokens',
  developerRole: 'none',
};

/** The same with a model of OpenAI that knows only the newer name of the output limit. */
export const NEWER_COMPATIBLE_QUIRKS: ProviderQuirks = {
  ...COMPATIBLE_QUIRKS,
  maxTokensMember: 'max_completion_tokens',
};
