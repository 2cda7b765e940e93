import type { ProviderQuirks } from '@tollgate/dialects/openai-chat/quirks/provider-quirks';
import { COMPATIBLE_QUIRKS } from './compatible-quirks.ts';

/** Google's variant of the dialect refuses unknown members by name. */
export const GEMINI_QUIRKS: ProviderQuirks = {
  ...COMPATIBLE_QUIRKS,
  callSignatures: 'extra_content',
  maxStopSequences: 5,
  omits: ['store', 'metadata', 'user', 'safety_identifier', 'service_tier', 'verbosity', 'prompt_cache_key'],
};
