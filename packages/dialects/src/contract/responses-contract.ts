import type { ContractTerms } from './contract.ts';
import { objectOf, plain, type EntryRules } from './member-rule.ts';
import { CHOOSING_MEMBERS, REASONING_OBJECT, serviceTier, TERM_MEMBERS } from './shared-rules.ts';

/** Kinds are without the date of their version: `web_search_2025_08_26` is `web_search`. */
const RESPONSES_TOOLS: EntryRules = {
  by: 'type',
  absent: null,
  limit: 'max_tool_calls',
  kinds: {
    ...plain(
      'function custom mcp local_shell apply_patch tool_search computer computer_use computer_use_preview',
    ),
    namespace: { fate: 'group', member: 'tools' },
    shell: {
      fate: 'priced',
      tool: 'code_execution',
      local: { member: 'environment', types: ['local'] },
    },
    web_search: { fate: 'priced', tool: 'web_search' },
    web_search_preview: { fate: 'priced', tool: 'web_search' },
    file_search: { fate: 'priced', tool: 'file_search' },
    code_interpreter: { fate: 'priced', tool: 'code_execution' },
    image_generation: { fate: 'priced', tool: 'image_generation' },
  },
};

const NO_STATE = { fate: 'rejected', because: 'no state is kept here', unless: [false] } as const;

/** `POST /v1/responses`, whatever the provider (https://platform.openai.com/docs/api-reference/responses/create). */
export const RESPONSES_CONTRACT: ContractTerms = {
  members: {
    ...plain(`
      model instructions stream max_output_tokens max_tool_calls temperature top_p top_logprobs tool_choice
      parallel_tool_calls include truncation user safety_identifier metadata prompt_cache_key prompt_cache_retention
      prompt_cache_options cache_control moderation access_programs image client_metadata context_management store`),
    // `additional_tools`, `tool_search_output`: items that declare tools.
    input: { fate: 'carriers' },
    previous_response_id: NO_STATE,
    conversation: NO_STATE,
    background: NO_STATE,
    prompt: NO_STATE,
    ...TERM_MEMBERS,
    ...CHOOSING_MEMBERS,
    stream_options: objectOf('include_usage include_obfuscation'),
    reasoning: REASONING_OBJECT,
    text: objectOf('format verbosity'),
    service_tier: serviceTier('default'),
    plugins: { fate: 'entries', entries: { by: 'id', absent: null, kinds: {} } },
    tools: { fate: 'entries', entries: RESPONSES_TOOLS },
  },
  query: { 'api-version': /^[\w.-]{1,32}$/ },
  betas: ['responses', 'responses_websockets', 'responses_multi_agent', 'assistants'],
};
