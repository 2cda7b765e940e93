import { COMPATIBLE_QUIRKS } from './compatible-quirks.ts';
import { TOGETHER_CONTRACT } from './hosted-contracts.ts';
import type { ProviderPreset } from './preset.ts';

export const together: ProviderPreset = {
  name: 'together',
  title: 'Together AI',
  dialect: 'openai-chat',
  baseUrl: 'https://api.together.ai/v1',
  settings: [],
  credential: 'api-key',
  keyHeader: 'authorization',
  envelope: 'none',
  quirks: {
    ...COMPATIBLE_QUIRKS,
    // https://docs.together.ai/docs/inference/chat/reasoning
    reasoningMember: 'reasoning.enabled',
    reasoningField: 'reasoning',
    takesTopK: true,
    maxStopSequences: null,
  },
  endpoints: { countTokens: false, embeddings: true, inputTokens: false, responses: false, models: false },
  contract: TOGETHER_CONTRACT,
  docs: 'https://docs.together.ai/docs/inference/openai-compatibility',
};
