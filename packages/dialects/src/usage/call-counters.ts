import type { ServerTool } from '@tollgate/core/money/rates/rate-need';

/** The part of an answer that shows the calls of a server tool. */
export type CallCounter =
  /** A count in the usage object, in one of its objects or at its top. */
  | { in: 'usage'; object: string | null; member: string; tool: ServerTool }
  /** Items of the output. */
  | {
      in: 'output';
      item: string;
      tool: ServerTool;
      /** Values of `action.type` that are not billed. */
      freeActions?: readonly string[];
      /** Calls in one container are billed once; items without a container ran at the caller. */
      perContainer?: 'always' | 'where named';
    }
  /** The answer cites the web: one search. */
  | { in: 'citations'; tool: ServerTool };

/** Everything that calls are counted by. The rule of each priced tool in a contract names its counters. */
export const CALL_COUNTERS = {
  // https://docs.claude.com/en/docs/agents-and-tools/tool-use/web-search-tool#usage-and-pricing; OpenRouter has the same
  web_search_requests: {
    in: 'usage',
    object: 'server_tool_use',
    member: 'web_search_requests',
    tool: 'web_search',
  },
  web_fetch_requests: {
    in: 'usage',
    object: 'server_tool_use',
    member: 'web_fetch_requests',
    tool: 'web_fetch',
  },
  code_execution_requests: {
    in: 'usage',
    object: 'server_tool_use',
    member: 'code_execution_requests',
    tool: 'code_execution',
  },
  // https://docs.x.ai/docs/guides/tools/overview: billed per call, Live Search per source
  web_search_calls: {
    in: 'usage',
    object: 'server_side_tool_usage_details',
    member: 'web_search_calls',
    tool: 'web_search',
  },
  x_search_calls: {
    in: 'usage',
    object: 'server_side_tool_usage_details',
    member: 'x_search_calls',
    tool: 'web_search',
  },
  code_interpreter_calls: {
    in: 'usage',
    object: 'server_side_tool_usage_details',
    member: 'code_interpreter_calls',
    tool: 'code_execution',
  },
  file_search_calls: {
    in: 'usage',
    object: 'server_side_tool_usage_details',
    member: 'file_search_calls',
    tool: 'file_search',
  },
  num_sources_used: { in: 'usage', object: null, member: 'num_sources_used', tool: 'web_search' },
  // https://docs.perplexity.ai/getting-started/pricing: deep research is billed per query
  num_search_queries: { in: 'usage', object: null, member: 'num_search_queries', tool: 'web_search' },
  // Only search actions incur a tool call cost: https://platform.openai.com/docs/guides/tools-web-search
  web_search_call: {
    in: 'output',
    item: 'web_search_call',
    tool: 'web_search',
    freeActions: ['open_page', 'find_in_page', 'find'],
  },
  file_search_call: { in: 'output', item: 'file_search_call', tool: 'file_search' },
  // OpenAI bills containers, not calls: https://platform.openai.com/docs/pricing
  code_interpreter_call: {
    in: 'output',
    item: 'code_interpreter_call',
    tool: 'code_execution',
    perContainer: 'always',
  },
  shell_call: { in: 'output', item: 'shell_call', tool: 'code_execution', perContainer: 'where named' },
  image_generation_call: { in: 'output', item: 'image_generation_call', tool: 'image_generation' },
  url_citation: { in: 'citations', tool: 'web_search' },
} as const satisfies Record<string, CallCounter>;

export type CallCounterName = keyof typeof CALL_COUNTERS;

export const ALL_CALL_COUNTERS: readonly CallCounter[] = Object.values(CALL_COUNTERS);
