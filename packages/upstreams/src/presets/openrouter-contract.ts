import type { ProviderContract } from '@tollgate/dialects/contract/contract';
import {
  objectRule,
  plain,
  PLAIN,
  rejected,
  type MemberRules,
  type PricedCalls,
} from '@tollgate/dialects/contract/member-rule';

const CHOOSES_PROVIDER = 'it selects the provider, and with it the price';
const CHOOSES_MODEL = 'it selects another model';

/** Valid for all OpenRouter endpoints (https://openrouter.ai/docs/api-reference/overview). */
const getMembers = (searches: PricedCalls['counters']): MemberRules => ({
  ...plain('transforms usage session_id trace image_config'),
  provider: objectRule(
    'allow_fallbacks require_parameters data_collection zdr enforce_distillable_text max_price',
    rejected(
      'order only ignore sort quantizations preferred_min_throughput preferred_max_latency',
      CHOOSES_PROVIDER,
    ),
  ),
  // Only controls how `models` are used, which are checked.
  route: { handling: 'rejected', because: CHOOSES_MODEL, unless: ['fallback'] },
  plugins: {
    handling: 'entries',
    entries: {
      by: 'id',
      absent: null,
      kinds: {
        // One search; five results by default (https://openrouter.ai/docs/features/web-search).
        web: {
          handling: 'priced',
          tool: 'web_search',
          bound: { by: 'entry', member: 'max_results', byDefault: 5 },
          counters: searches,
        },
        'response-healing': PLAIN,
        'context-compression': PLAIN,
        moderation: PLAIN,
        'file-parser': { handling: 'rejected', because: 'pages are billed separately' },
        'auto-router': { handling: 'rejected', because: CHOOSES_MODEL },
        'pareto-router': { handling: 'rejected', because: CHOOSES_MODEL },
        fusion: { handling: 'rejected', because: CHOOSES_MODEL },
      },
    },
  },
  tools: {
    handling: 'entries',
    entries: {
      by: 'type',
      absent: 'function',
      kinds: {
        'openrouter:datetime': PLAIN,
        'openrouter:web_search': {
          handling: 'priced',
          tool: 'web_search',
          settings: 'parameters',
          bound: { by: 'entry', member: 'max_uses' },
          counters: searches,
        },
        'openrouter:web_fetch': {
          handling: 'priced',
          tool: 'web_fetch',
          settings: 'parameters',
          bound: { by: 'entry', member: 'max_uses' },
          counters: ['web_fetch_requests'],
        },
        'openrouter:image_generation': {
          handling: 'restricted',
          because: "OpenRouter's usage does not count its calls",
        },
      },
    },
  },
});

export const OPENROUTER_CONTRACT: ProviderContract = {
  chat: { members: getMembers(['web_search_requests', 'url_citation']) },
  responses: { members: getMembers(['web_search_requests', 'web_search_call']) },
  embeddings: {
    members: { provider: objectRule('data_collection zdr require_parameters allow_fallbacks max_price') },
  },
};
