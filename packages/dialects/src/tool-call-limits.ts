import type { Dialect } from '@tollgate/core/dialect';
import type { RateNeed } from '@tollgate/core/rates/rate-need';
import { asObject, type JsonObject } from './json/parse-object.ts';

/** Server tools of Anthropic that take a limit: https://docs.claude.com/en/docs/agents-and-tools/tool-use/web-search-tool */
const LIMITED_TOOL = /^(?:web_search|web_fetch|advisor)_\d{8}$/;

/**
 * Limits the calls of server tools that a request leaves unlimited, where its dialect can say it.
 * @param maxCalls what the hold covers
 * @returns changes of members, as JSON text by name
 */
export function limitToolCalls(
  dialect: Dialect,
  request: { members: JsonObject; needs: readonly RateNeed[] },
  maxCalls: number,
): Record<string, string> {
  const { members, needs } = request;
  if (!needs.some(({ kind }) => kind === 'tool_calls' || kind === 'model')) return {};
  if (dialect === 'openai-responses')
    return (members['max_tool_calls'] ?? null) === null ? { max_tool_calls: String(maxCalls) } : {};
  if (dialect !== 'anthropic-messages' || !Array.isArray(members['tools'])) return {};
  const tools: unknown[] = members['tools'];
  const limited = tools.map((tool) => limitTool(tool, maxCalls));
  return limited.some((tool, at) => tool !== tools[at]) ? { tools: JSON.stringify(limited) } : {};
}

function limitTool(tool: unknown, maxCalls: number): unknown {
  const object = asObject(tool);
  const type = object?.['type'];
  if (object === null || typeof type !== 'string' || !LIMITED_TOOL.test(type)) return tool;
  return (object['max_uses'] ?? null) === null ? { ...object, max_uses: maxCalls } : tool;
}
