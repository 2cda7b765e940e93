import type { ProviderContract } from '@tollgate/dialects/contract/contract';
import { plain, type CallBound, type MemberRules } from '@tollgate/dialects/contract/member-rule';

/** Tools that xAI runs, counted in `server_side_tool_usage_details` (https://docs.x.ai/docs/guides/tools/overview). */
function getTools(bound: CallBound): MemberRules {
  const search = {
    handling: 'priced',
    tool: 'web_search',
    bound,
    counters: ['web_search_calls', 'x_search_calls'],
  } as const;
  const code = {
    handling: 'priced',
    tool: 'code_execution',
    bound,
    counters: ['code_interpreter_calls'],
  } as const;
  const files = { handling: 'priced', tool: 'file_search', bound, counters: ['file_search_calls'] } as const;
  return {
    tools: {
      handling: 'entries',
      entries: {
        by: 'type',
        absent: 'function',
        kinds: {
          live_search: search,
          web_search: search,
          x_search: search,
          code_execution: code,
          code_interpreter: code,
          collections_search: files,
          file_search: files,
        },
      },
    },
  };
}

/** Chat completions have no limit of calls: `max_turns` limits turns, each with any number of calls. */
export const XAI_CONTRACT: ProviderContract = {
  chat: { members: { ...plain('max_turns'), ...getTools({ by: 'nothing' }) } },
  responses: {
    members: {
      ...plain('max_turns use_encrypted_content'),
      ...getTools({ by: 'request', member: 'max_tool_calls' }),
    },
  },
};
