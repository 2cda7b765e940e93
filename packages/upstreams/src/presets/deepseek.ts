import { COMPATIBLE_QUIRKS } from './compatible-quirks.ts';
import { DEEPSEEK_CONTRACT } from './hosted-contracts.ts';
import type { ProviderPreset } from './preset.ts';

/** Requires the reasoning of tool-call turns in later requests. */
export const deepSeek: ProviderPreset = {
  name: 'deepseek',
  title: 'DeepSeek',
  dialect: 'openai-chat',
  baseUrl: 'https://api.deepseek.com',
  settings: [],
  credential: 'api-key',
  keyHeader: 'authorization',
  envelope: 'none',
  quirks: {
    ...COMPATIBLE_QUIRKS,
    reasoningMember: 'thinking',
    reasoningField: 'reasoning_content',
    maxStopSequences: 16,
  },
  endpoints: { countTokens: false, embeddings: false, inputTokens: false, responses: true, models: true },
  contract: DEEPSEEK_CONTRACT,
  docs: 'https://api-docs.deepseek.com/guides/thinking_mode',
};
