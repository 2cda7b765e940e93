import { GEMINI_QUIRKS } from './gemini-quirks.ts';
import { GEMINI_CONTRACT } from './gemini-contract.ts';
import type { ProviderPreset } from './preset.ts';

export const gemini: ProviderPreset = {
  name: 'gemini',
  title: 'Google Gemini',
  dialect: 'openai-chat',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
  settings: [],
  credential: 'api-key',
  keyHeader: 'authorization',
  envelope: 'none',
  quirks: GEMINI_QUIRKS,
  endpoints: { countTokens: false, embeddings: true, inputTokens: false, responses: false, models: true },
  contract: GEMINI_CONTRACT,
  docs: 'https://ai.google.dev/gemini-api/docs/openai',
};
