import type { ContractTerms } from './contract.ts';
import { objectOf, plain, PLAIN, type EntryRules } from './member-rule.ts';
import { CHOOSING_MEMBERS, REASONING_OBJECT, serviceTier, TERM_MEMBERS } from './shared-rules.ts';

const CHAT_TOOLS: EntryRules = {
  by: 'type',
  absent: 'function',
  kinds: {
    function: PLAIN,
    custom: PLAIN,
    mcp: PLAIN,
    web_search: { fate: 'priced', tool: 'web_search', limit: 'max_uses' },
    web_search_preview: { fate: 'priced', tool: 'web_search' },
    code_interpreter: { fate: 'priced', tool: 'code_execution' },
    code_execution: { fate: 'priced', tool: 'code_execution' },
    file_search: { fate: 'priced', tool: 'file_search' },
    image_generation: { fate: 'priced', tool: 'image_generation' },
  },
};

/** `POST /v1/chat/completions`, whatever the provider (https://platform.openai.com/docs/api-reference/chat/create). */
export const CHAT_CONTRACT: ContractTerms = {
  members: {
    ...plain(`
      model messages stream max_tokens max_completion_tokens temperature top_p top_k min_p top_a seed stop n
      presence_penalty frequency_penalty repetition_penalty logit_bias logprobs top_logprobs
      tool_choice parallel_tool_calls functions function_call response_format reasoning_effort verbosity
      user safety_identifier metadata prompt_cache_key prompt_cache_retention prompt_cache_options cache_control
      prediction moderation thinking include_reasoning enable_thinking thinking_budget reasoning_format
      chat_template_kwargs client_metadata`),
    ...TERM_MEMBERS,
    ...CHOOSING_MEMBERS,
    stream_options: objectOf('include_usage include_obfuscation continuous_usage_stats'),
    reasoning: REASONING_OBJECT,
    audio: objectOf('voice format'),
    modalities: { fate: 'priced', need: { kind: 'modalities' } },
    service_tier: serviceTier('default'),
    store: {
      fate: 'dropped',
      because: "the completion would be kept in the operator's account at the provider",
      alongside: ['metadata'],
    },
    web_search_options: { fate: 'priced', need: { kind: 'tool', tool: 'web_search' } },
    search_parameters: {
      fate: 'priced',
      need: { kind: 'tool', tool: 'web_search', limit: 'max_search_results', offMode: 'off' },
    },
    enable_search: { fate: 'priced', need: { kind: 'tool', tool: 'web_search' } },
    plugins: { fate: 'entries', entries: { by: 'id', absent: null, kinds: {} } },
    tools: { fate: 'entries', entries: CHAT_TOOLS },
  },
  query: { 'api-version': /^[\w.-]{1,32}$/ },
  betas: ['responses', 'assistants'],
};
