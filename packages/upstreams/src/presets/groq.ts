import { COMPATIBLE_QUIRKS } from './compatible-quirks.ts';
import { GROQ_CONTRACT } from './groq-contract.ts';
import type { ProviderPreset } from './preset.ts';

export const groq: ProviderPreset = {
  name: 'groq',
  title: 'Groq',
  dialect: 'openai-chat',
  baseUrl: 'https://api.groq.com/openai/v1',
  settings: [],
  credential: 'api-key',
  keyHeader: 'authorization',
  envelope: 'none',
  quirks: {
    ...COMPATIBLE_QUIRKS,
    maxTokensMember: 'max_completion_tokens',
    reasoningField: 'reasoning',
    omits: ['verbosity', 'prompt_cache_key'],
  },
  endpoints: { countTokens: false, embeddings: false, inputTokens: false, responses: true, models: true },
  contract: GROQ_CONTRACT,
  docs: 'https://console.groq.com/docs/openai',
};
