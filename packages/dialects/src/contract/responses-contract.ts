import type { ContractTerms } from './contract.ts';
import { CALLERS_TOOL, objectRule, plain, UNCOUNTED, type EntryRules } from './member-rule.ts';
import {
  CALLERS_DATA,
  CALLERS_FORMAT,
  CHOOSING_MEMBERS,
  CONVERSATION,
  MODERATION,
  REASONING_OBJECT,
  serviceTier,
  TERM_MEMBERS,
} from './shared-rules.ts';

/** The calls of all tools together: https://platform.openai.com/docs/api-reference/responses/create */
const bound = { by: 'request', member: 'max_tool_calls' } as const;

/**
 * Twice the block of 8,000 tokens that OpenAI bills for each search of its small models
 * (https://platform.openai.com/docs/pricing#built-in-tools).
 */
const SEARCH_RESULT_TOKENS = 16_000;

/** Kinds are without the date of their version: `web_search_2025_08_26` is `web_search`. */
const RESPONSES_TOOLS: EntryRules = {
  by: 'type',
  absent: null,
  kinds: {
    function: CALLERS_TOOL,
    custom: CALLERS_TOOL,
    ...plain('local_shell apply_patch computer computer_use computer_use_preview'),
    mcp: UNCOUNTED,
    tool_search: { ...UNCOUNTED, local: { member: 'execution', value: 'client' } },
    namespace: { handling: 'group', member: 'tools' },
    shell: {
      handling: 'priced',
      tool: 'code_execution',
      bound,
      counters: ['shell_call'],
      local: { member: 'environment', types: ['local'] },
    },
    web_search: {
      handling: 'priced',
      tool: 'web_search',
      bound,
      resultTokens: SEARCH_RESULT_TOKENS,
      counters: ['web_search_call'],
    },
    web_search_preview: {
      handling: 'priced',
      tool: 'web_search_preview',
      bound,
      resultTokens: SEARCH_RESULT_TOKENS,
      counters: ['web_search_call'],
    },
    file_search: { handling: 'priced', tool: 'file_search', bound, counters: ['file_search_call'] },
    code_interpreter: {
      handling: 'priced',
      tool: 'code_execution',
      bound,
      counters: ['code_interpreter_call'],
    },
    image_generation: {
      handling: 'priced',
      tool: 'image_generation',
      bound,
      counters: ['image_generation_call'],
    },
  },
};

/** The gateway takes them out if the account stores responses. */
const OWN_STATE = {
  handling: 'rejected',
  because: 'only accounts that store responses can use it, and the gateway does not send it',
  unless: [false],
} as const;

/** `POST /v1/responses`, whatever the provider (https://platform.openai.com/docs/api-reference/responses/create). */
export const RESPONSES_CONTRACT: ContractTerms = {
  members: {
    ...plain(`
      model stream max_output_tokens max_tool_calls temperature top_p top_logprobs tool_choice
      parallel_tool_calls include truncation user safety_identifier prompt_cache_key prompt_cache_retention
      prompt_cache_options cache_control access_programs image store`),
    // https://platform.openai.com/docs/api-reference/responses/create
    context_management: { handling: 'edits' },
    ...CONVERSATION,
    ...CALLERS_DATA,
    moderation: MODERATION,
    // `additional_tools`, `tool_search_output`: items that declare tools.
    input: { handling: 'carriers' },
    previous_response_id: OWN_STATE,
    conversation: OWN_STATE,
    background: OWN_STATE,
    prompt: { handling: 'rejected', because: 'the gateway stores no prompts', unless: [false] },
    ...TERM_MEMBERS,
    ...CHOOSING_MEMBERS,
    stream_options: objectRule('include_usage include_obfuscation'),
    reasoning: REASONING_OBJECT,
    text: objectRule('verbosity', CALLERS_FORMAT),
    service_tier: serviceTier('default'),
    plugins: { handling: 'entries', entries: { by: 'id', absent: null, kinds: {} } },
    tools: { handling: 'entries', entries: RESPONSES_TOOLS },
  },
  query: { 'api-version': /^[\w.-]{1,32}$/ },
  betas: ['responses', 'responses_websockets', 'responses_multi_agent', 'assistants'],
};
