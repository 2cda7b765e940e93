import { COMPATIBLE_FLAVOUR } from './compatible-flavour.ts';
import type { ProviderPreset } from './preset.ts';

export const anthropic: ProviderPreset = {
  name: 'anthropic',
  title: 'Anthropic',
  dialect: 'anthropic-messages',
  baseUrl: 'https://api.anthropic.com/v1',
  settings: [],
  credential: 'api-key',
  keyHeader: 'x-api-key',
  envelope: 'none',
  flavour: COMPATIBLE_FLAVOUR,
  endpoints: { countTokens: true, embeddings: false, responses: false, models: true },
  contract: {},
  docs: 'https://docs.claude.com/en/api/messages',
};
