import type { EncodeReport } from '../encode-report.ts';
import type { CompletionRequest, ToolChoice, ToolDefinition } from '@tollgate/core/completion/request';
import type { JsonObject } from '../json/parse-object.ts';
import { encodeCache } from './encode-part.ts';

/** Writes `tools`, `tool_choice`, `parallel_tool_calls` and `web_search_options`. */
export function encodeTools(request: CompletionRequest, report: EncodeReport): JsonObject {
  const tools = request.tools.map(encodeTool);
  let search: JsonObject = {};
  for (const [index, { dialect, name, value }] of request.hostedTools.entries()) {
    if (dialect !== 'openai-chat')
      report.refuse(`tools.${index}`, `the tool ${name}, which its provider runs`);
    else if (name === 'web_search_options') search = { web_search_options: value };
    else tools.push({ ...value });
  }
  return { ...(tools.length === 0 ? {} : { tools }), ...encodeUse(request, tools.length > 0), ...search };
}

/** How the tools are used. This dialect refuses that without tools; the others take it. */
function encodeUse(
  { toolChoice, parallelToolCalls }: Pick<CompletionRequest, 'toolChoice' | 'parallelToolCalls'>,
  hasTools: boolean,
): JsonObject {
  const isForced = toolChoice?.type === 'required' || toolChoice?.type === 'tool';
  return {
    ...(toolChoice === null || !(hasTools || isForced) ? {} : { tool_choice: encodeToolChoice(toolChoice) }),
    ...(parallelToolCalls === null || !hasTools ? {} : { parallel_tool_calls: parallelToolCalls }),
  };
}

function encodeTool(tool: ToolDefinition): JsonObject {
  const { name, description, parameters, strict } = tool;
  const definition = {
    name,
    ...(description === null ? {} : { description }),
    ...(parameters === null ? {} : { parameters }),
    ...(strict === null ? {} : { strict }),
  };
  return { type: 'function', function: definition, ...encodeCache(tool.cache) };
}

function encodeToolChoice(choice: ToolChoice): unknown {
  return choice.type === 'tool' ? { type: 'function', function: { name: choice.name } } : choice.type;
}
