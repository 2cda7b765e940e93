import { COMPATIBLE_QUIRKS } from './compatible-quirks.ts';
import { OPENROUTER_CONTRACT } from './openrouter-contract.ts';
import type { ProviderPreset } from './preset.ts';

export const openRouter: ProviderPreset = {
  name: 'openrouter',
  title: 'OpenRouter',
  dialect: 'openai-chat',
  baseUrl: 'https://openrouter.ai/api/v1',
  settings: [],
  credential: 'api-key',
  keyHeader: 'authorization',
  envelope: 'none',
  quirks: {
    ...COMPATIBLE_QUIRKS,
    reasoningMember: 'reasoning',
    reasoningField: 'reasoning_details',
    takesCacheControl: true,
    takesTopK: true,
    takesFileUrls: true,
  },
  endpoints: { countTokens: false, embeddings: true, inputTokens: false, responses: true, models: true },
  contract: OPENROUTER_CONTRACT,
  docs: 'https://openrouter.ai/docs/api-reference/overview',
};
