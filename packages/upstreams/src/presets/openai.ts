import { NO_QUIRKS } from '@tollgate/dialects/openai-chat/quirks/provider-quirks';
import { serviceTier } from '@tollgate/dialects/contract/shared-rules';
import type { ProviderPreset } from './preset.ts';

const TIER = { service_tier: serviceTier('default', true) };

export const openAi: ProviderPreset = {
  name: 'openai',
  title: 'OpenAI',
  dialect: 'openai-chat',
  baseUrl: 'https://api.openai.com/v1',
  settings: [],
  credential: 'api-key',
  keyHeader: 'authorization',
  envelope: 'none',
  quirks: NO_QUIRKS,
  endpoints: { countTokens: false, embeddings: true, inputTokens: true, responses: true, models: true },
  // Without a tier, the project's setting applies: https://platform.openai.com/docs/guides/priority-processing
  contract: { chat: { members: TIER }, responses: { members: TIER } },
  docs: 'https://platform.openai.com/docs/api-reference/chat',
};
