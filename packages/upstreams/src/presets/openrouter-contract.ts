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
  route: { fate: 'rejected', because: CHOOSES_MODEL, unless: ['fallback'] },
  plugins: {
    fate: 'entries',
    entries: {
      by: 'id',
      absent: null,
      kinds: {
        // One search; five results by default (https://openrouter.ai/docs/features/web-search).
        web: {
          fate: 'priced',
          tool: 'web_search',
          bound: { by: 'entry', member: 'max_results', byDefault: 5 },
          counters: searches,
        },
        'response-healing': PLAIN,
        'context-compression': PLAIN,
        moderation: PLAIN,
        'file-parser': { fate: 'rejected', because: 'pages are billed separately' },
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
          bound: { by: 'entry', member: 'max_uses' },
          counters: searches,
        },
        'openrouter:web_fetch': {
          fate: 'priced',
          tool: 'web_fetch',
          settings: 'parameters',
          bound: { by: 'entry', member: 'max_uses' },
          counters: ['web_fetch_requests'],
        },
        'openrouter:image_generation': {
          fate: 'restricted',
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
