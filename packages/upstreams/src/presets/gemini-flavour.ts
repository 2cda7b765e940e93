import type { OpenAiChatFlavour } from '@tollgate/dialects/openai-chat/flavour';
import { COMPATIBLE_FLAVOUR } from './compatible-flavour.ts';

/** Google's variant of the dialect refuses unknown members by name. */
export const GEMINI_FLAVOUR: OpenAiChatFlavour = {
  ...COMPATIBLE_FLAVOUR,
  callSignatures: 'extra_content',
  maxStopSequences: 5,
  omits: ['store', 'metadata', 'user', 'service_tier', 'verbosity', 'prompt_cache_key'],
};
