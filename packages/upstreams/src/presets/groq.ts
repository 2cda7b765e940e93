import { COMPATIBLE_FLAVOUR } from './compatible-flavour.ts';
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
  flavour: {
    ...COMPATIBLE_FLAVOUR,
    maxTokensMember: 'max_completion_tokens',
    reasoningField: 'reasoning',
    omits: ['verbosity', 'prompt_cache_key'],
  },
  endpoints: { countTokens: false, embeddings: false, responses: true, models: true },
  contract: GROQ_CONTRACT,
  docs: 'https://console.groq.com/docs/openai',
};
