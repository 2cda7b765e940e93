import { serviceTier } from '@tollgate/dialects/contract/shared-rules';
import { COMPATIBLE_QUIRKS } from './compatible-quirks.ts';
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
  quirks: COMPATIBLE_QUIRKS,
  endpoints: { countTokens: true, embeddings: false, inputTokens: false, responses: false, models: true },
  // Without a tier, organizations with a Priority commitment get Priority: https://docs.claude.com/en/api/service-tiers
  contract: { messages: { members: { service_tier: serviceTier('standard_only', true) } } },
  docs: 'https://docs.claude.com/en/api/messages',
};
