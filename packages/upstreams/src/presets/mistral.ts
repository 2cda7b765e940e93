import { COMPATIBLE_QUIRKS } from './compatible-quirks.ts';
import { MISTRAL_CONTRACT } from './mistral-contract.ts';
import type { ProviderPreset } from './preset.ts';

/** Refuses unknown members, names the seed `random_seed`, and always includes usage in streams. */
export const mistral: ProviderPreset = {
  name: 'mistral',
  title: 'Mistral',
  dialect: 'openai-chat',
  baseUrl: 'https://api.mistral.ai/v1',
  settings: [],
  credential: 'api-key',
  keyHeader: 'authorization',
  envelope: 'none',
  quirks: {
    ...COMPATIBLE_QUIRKS,
    // https://docs.mistral.ai/capabilities/reasoning
    reasoningField: 'content',
    callIds: 'short',
    maxStopSequences: null,
    omits: [
      'user',
      'safety_identifier',
      'store',
      'seed',
      'service_tier',
      'verbosity',
      'prompt_cache_key',
      'stream_options',
    ],
  },
  endpoints: { countTokens: false, embeddings: true, inputTokens: false, responses: false, models: true },
  contract: MISTRAL_CONTRACT,
  docs: 'https://docs.mistral.ai/api',
};
