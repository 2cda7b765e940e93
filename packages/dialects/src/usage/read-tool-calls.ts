import type { ServerTool } from '@tollgate/core/rates/rate-need';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import type { CountReader } from './read-count.ts';

export type ToolCalls = Partial<Record<ServerTool, number>>;

/** Members that count calls, by the tool that they are billed as. Objects first, then members of `usage` itself. */
const COUNTED: readonly [container: string | null, name: string, tool: ServerTool][] = [
  // https://docs.claude.com/en/docs/agents-and-tools/tool-use/web-search-tool#usage-and-pricing
  ['server_tool_use', 'web_search_requests', 'web_search'],
  ['server_tool_use', 'web_fetch_requests', 'web_fetch'],
  ['server_tool_use', 'code_execution_requests', 'code_execution'],
  // https://docs.x.ai/docs/guides/tools/overview: billed per call, Live Search per source
  ['server_side_tool_usage_details', 'web_search_calls', 'web_search'],
  ['server_side_tool_usage_details', 'x_search_calls', 'web_search'],
  ['server_side_tool_usage_details', 'code_interpreter_calls', 'code_execution'],
  ['server_side_tool_usage_details', 'file_search_calls', 'file_search'],
  [null, 'num_sources_used', 'web_search'],
  // https://docs.perplexity.ai/getting-started/pricing: deep research is billed per query
  [null, 'num_search_queries', 'web_search'],
];

/** Output items of the Responses API that stand for a call of a hosted tool. */
const OUTPUT_ITEMS: Readonly<Record<string, ServerTool>> = {
  web_search_call: 'web_search',
  file_search_call: 'file_search',
  code_interpreter_call: 'code_execution',
  image_generation_call: 'image_generation',
};

/** Reads the calls of server tools that the usage object counts. @returns null where it counts none */
export function readToolCalls(raw: JsonObject, counts: CountReader): ToolCalls | null {
  const calls: ToolCalls = {};
  for (const [container, name, tool] of COUNTED) {
    const holder = container === null ? raw : asObject(raw[container]);
    const count = holder === null ? null : counts.read(holder[name]);
    if (count !== null && count > 0) calls[tool] = (calls[tool] ?? 0) + count;
  }
  return Object.keys(calls).length === 0 ? null : calls;
}

/** Counts the calls of hosted tools in the `output` of a response; usage does not report them. */
export function countOutputToolCalls(output: unknown): ToolCalls | null {
  const calls: ToolCalls = {};
  for (const item of Array.isArray(output) ? output : []) {
    const type = asObject(item)?.['type'];
    const tool = typeof type === 'string' ? OUTPUT_ITEMS[type] : undefined;
    if (tool !== undefined) calls[tool] = (calls[tool] ?? 0) + 1;
  }
  return Object.keys(calls).length === 0 ? null : calls;
}

/** True where the message or delta of a chat choice cites the web: a search model of OpenAI searched once. */
export function citesWeb(choice: JsonObject | null): boolean {
  const message = asObject(choice?.['message']) ?? asObject(choice?.['delta']);
  const annotations: unknown = message?.['annotations'];
  return (
    Array.isArray(annotations) && annotations.some((each) => asObject(each)?.['type'] === 'url_citation')
  );
}
