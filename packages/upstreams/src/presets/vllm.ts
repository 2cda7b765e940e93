import { COMPATIBLE_QUIRKS } from './compatible-quirks.ts';
import { VLLM_CONTRACT } from './own-server-contracts.ts';
import type { ProviderPreset } from './preset.ts';

export const vllm: ProviderPreset = {
  name: 'vllm',
  title: 'vLLM',
  dialect: 'openai-chat',
  baseUrl: 'http://127.0.0.1:8000/v1',
  settings: [],
  credential: 'none',
  keyHeader: 'authorization',
  envelope: 'none',
  quirks: {
    ...COMPATIBLE_QUIRKS,
    reasoningField: 'reasoning',
    takesTopK: true,
    maxStopSequences: null,
  },
  endpoints: { countTokens: false, embeddings: true, inputTokens: false, responses: true, models: true },
  contract: VLLM_CONTRACT,
  docs: 'https://docs.vllm.ai/en/latest/serving/openai_compatible_server/',
};
