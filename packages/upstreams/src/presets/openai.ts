import { OPENAI_FLAVOUR } from '@tollgate/dialects/openai-chat/flavour';
import type { ProviderPreset } from './preset.ts';

export const openAi: ProviderPreset = {
  name: 'openai',
  title: 'OpenAI',
  dialect: 'openai-chat',
  baseUrl: 'https://api.openai.com/v1',
  settings: [],
  credential: 'api-key',
  keyHeader: 'authorization',
  envelope: 'none',
  flavour: OPENAI_FLAVOUR,
  endpoints: { countTokens: false, embeddings: true, responses: true, models: true },
  contract: {},
  docs: 'https://platform.openai.com/docs/api-reference/chat',
};
