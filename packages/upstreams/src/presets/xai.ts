import { COMPATIBLE_QUIRKS } from './compatible-quirks.ts';
import { XAI_CONTRACT } from './xai-contract.ts';
import type { ProviderPreset } from './preset.ts';

export const xai: ProviderPreset = {
  name: 'xai',
  title: 'xAI',
  dialect: 'openai-chat',
  baseUrl: 'https://api.x.ai/v1',
  settings: [],
  credential: 'api-key',
  keyHeader: 'authorization',
  envelope: 'none',
  quirks: { ...COMPATIBLE_QUIRKS, maxTokensMember: 'max_completion_tokens' },
  endpoints: { countTokens: false, embeddings: false, inputTokens: false, responses: true, models: true },
  contract: XAI_CONTRACT,
  docs: 'https://docs.x.ai/developers/rest-api-reference',
};
