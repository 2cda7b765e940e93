import { COMPATIBLE_QUIRKS } from './compatible-quirks.ts';
import { FIREWORKS_CONTRACT } from './hosted-contracts.ts';
import type { ProviderPreset } from './preset.ts';

/** Models are named by resource: `accounts/fireworks/models/…`. */
export const fireworks: ProviderPreset = {
  name: 'fireworks',
  title: 'Fireworks AI',
  dialect: 'openai-chat',
  baseUrl: 'https://api.fireworks.ai/inference/v1',
  settings: [],
  credential: 'api-key',
  keyHeader: 'authorization',
  envelope: 'none',
  quirks: {
    ...COMPATIBLE_QUIRKS,
    // https://docs.fireworks.ai/guides/reasoning
    reasoningMember: 'thinking',
    reasoningField: 'reasoning_content',
    takesTopK: true,
  },
  endpoints: { countTokens: false, embeddings: true, inputTokens: false, responses: true, models: true },
  contract: FIREWORKS_CONTRACT,
  docs: 'https://docs.fireworks.ai/tools-sdks/openai-compatibility',
};
