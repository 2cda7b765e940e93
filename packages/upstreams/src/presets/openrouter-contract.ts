import type { ProviderContract } from '@tollgate/dialects/contract/contract';
import { objectOf, plain, PLAIN, rejected, type MemberRules } from '@tollgate/dialects/contract/member-rule';

const CHOOSES_PROVIDER = 'it chooses the provider that answers, and with it the price';
const CHOOSES_MODEL = 'it chooses another model';

/** The same for each of OpenRouter's endpoints (https://openrouter.ai/docs/api-reference/overview). */
const MEMBERS: MemberRules = {
  ...plain('transforms usage session_id trace image_config'),
  provider: objectOf(
    'allow_fallbacks require_parameters data_collection zdr enforce_distillable_text max_price',
    rejected(
      'order only ignore sort quantizations preferred_min_throughput preferred_max_latency',
      CHOOSES_PROVIDER,
    ),
  ),
  // It only says how `models` are used, and those are checked.
  route: { fate: 'rejected', because: CHOOSES_MODEL, unless: ['fallback'] },
  plugins: {
    fate: 'entries',
    entries: {
      by: 'id',
      absent: null,
      kinds: {
        web: { fate: 'priced', tool: 'web_search', limit: 'max_results' },
        'response-healing': PLAIN,
        'context-compression': PLAIN,
        moderation: PLAIN,
        'file-parser': { fate: 'rejected', because: 'pages are billed apart' },
        'auto-router': { fate: 'rejected', because: CHOOSES_MODEL },
        'pareto-router': { fate: 'rejected', because: CHOOSES_MODEL },
        fusion: { fate: 'rejected', because: CHOOSES_MODEL },
      },
    },
  },
  tools: {
    fate: 'entries',
    entries: {
      by: 'type',
      absent: 'function',
      kinds: {
        'openrouter:datetime': PLAIN,
        'openrouter:web_search': {
          fate: 'priced',
          tool: 'web_search',
          settings: 'parameters',
          limit: 'max_uses',
        },
        'openrouter:web_fetch': {
          fate: 'priced',
          tool: 'web_fetch',
          settings: 'parameters',
          limit: 'max_uses',
        },
        'openrouter:image_generation': { fate: 'priced', tool: 'image_generation', settings: 'parameters' },
      },
    },
  },
};

export const OPENROUTER_CONTRACT: ProviderContract = {
  chat: { members: MEMBERS },
  responses: { members: MEMBERS },
  embeddings: {
    members: { provider: objectOf('data_collection zdr require_parameters allow_fallbacks max_price') },
  },
};
