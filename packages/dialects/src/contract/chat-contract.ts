import type { ContractTerms } from './contract.ts';
import { CHAT_LIMIT_MEMBERS } from '../limit-members.ts';
import { CALLERS_TOOL, objectRule, plain, UNCOUNTED, type EntryRules } from './member-rule.ts';
import {
  CALLERS_DATA,
  CHOOSING_MEMBERS,
  CONVERSATION,
  MODERATION,
  REASONING_OBJECT,
  serviceTier,
  TERM_MEMBERS,
} from './shared-rules.ts';

const NOT_COUNTED = { handling: 'restricted', because: 'chat completions do not report its calls' } as const;

const CHAT_TOOLS: EntryRules = {
  by: 'type',
  absent: 'function',
  kinds: {
    function: CALLERS_TOOL,
    custom: CALLERS_TOOL,
    mcp: UNCOUNTED,
    web_search: {
      handling: 'priced',
      tool: 'web_search',
      bound: { by: 'entry', member: 'max_uses' },
      counters: ['web_search_requests', 'url_citation'],
    },
    web_search_preview: NOT_COUNTED,
    code_interpreter: NOT_COUNTED,
    code_execution: NOT_COUNTED,
    file_search: NOT_COUNTED,
    image_generation: NOT_COUNTED,
  },
};

/** `POST /v1/chat/completions`, whatever the provider (https://platform.openai.com/docs/api-reference/chat/create). */
export const CHAT_CONTRACT: ContractTerms = {
  members: {
    ...plain(`
      model stream ${CHAT_LIMIT_MEMBERS.join(' ')} temperature top_p top_k min_p top_a seed stop n
      presence_penalty frequency_penalty repetition_penalty logit_bias logprobs top_logprobs
      tool_choice parallel_tool_calls function_call reasoning_effort verbosity
      user safety_identifier prompt_cache_key prompt_cache_retention prompt_cache_options cache_control
      thinking include_reasoning enable_thinking thinking_budget reasoning_format`),
    ...CONVERSATION,
    ...CALLERS_DATA,
    functions: CALLERS_TOOL,
    prediction: { handling: 'opaque', because: 'it is text that the model may repeat' },
    chat_template_kwargs: { handling: 'opaque', because: 'it contains variables of the prompt template' },
    moderation: MODERATION,
    ...TERM_MEMBERS,
    ...CHOOSING_MEMBERS,
    stream_options: objectRule('include_usage include_obfuscation continuous_usage_stats'),
    reasoning: REASONING_OBJECT,
    audio: objectRule('voice format'),
    modalities: { handling: 'priced', need: { kind: 'modalities' } },
    service_tier: serviceTier('default'),
    store: {
      handling: 'dropped',
      because: "the provider would store the completion in the operator's account",
      alongside: ['metadata'],
    },
    // The search models of OpenAI search once for each response, which need not cite anything.
    web_search_options: {
      handling: 'priced',
      need: {
        kind: 'tool',
        tool: 'web_search',
        bound: { by: 'provider', calls: 1 },
        leastCalls: 1,
        counters: ['url_citation', 'num_search_queries'],
      },
    },
    // Sources are billed, 20 at most if nothing is said: https://docs.x.ai/docs/guides/live-search
    search_parameters: {
      handling: 'priced',
      need: {
        kind: 'tool',
        tool: 'web_search',
        bound: { by: 'entry', member: 'max_search_results', byDefault: 20 },
        counters: ['num_sources_used'],
        offMode: 'off',
      },
    },
    enable_search: { ...NOT_COUNTED, unless: [false] },
    plugins: { handling: 'entries', entries: { by: 'id', absent: null, kinds: {} } },
    tools: { handling: 'entries', entries: CHAT_TOOLS },
  },
  query: { 'api-version': /^[\w.-]{1,32}$/ },
  betas: ['responses', 'assistants'],
};
