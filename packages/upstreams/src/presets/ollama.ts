import { COMPATIBLE_QUIRKS } from './compatible-quirks.ts';
import { OLLAMA_CONTRACT } from './own-server-contracts.ts';
import type { ProviderPreset } from './preset.ts';

export const ollama: ProviderPreset = {
  name: 'ollama',
  title: 'Ollama',
  dialect: 'openai-chat',
  baseUrl: 'http://127.0.0.1:11434/v1',
  settings: [],
  credential: 'none',
  keyHeader: 'authorization',
  envelope: 'none',
  quirks: { ...COMPATIBLE_QUIRKS, reasoningField: 'reasoning', maxStopSequences: null },
  endpoints: { countTokens: false, embeddings: true, inputTokens: false, responses: true, models: true },
  contract: OLLAMA_CONTRACT,
  docs: 'https://docs.ollama.com/api/openai-compatibility',
};
