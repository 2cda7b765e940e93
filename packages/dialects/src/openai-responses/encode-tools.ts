import type { CompletionRequest, ToolChoice, ToolDefinition } from '@tollgate/core/completion/request';
import type { EncodeReport } from '../encode-report.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { dropCache } from './encode-part.ts';

/** Writes `tools`, `tool_choice` and `parallel_tool_calls`. */
export function encodeTools(
  request: Pick<CompletionRequest, 'tools' | 'hostedTools' | 'toolChoice' | 'parallelToolCalls'>,
  report: EncodeReport,
): JsonObject {
  const tools = request.tools.map((tool) => encodeTool(tool, report));
  for (const [index, { dialect, name, value }] of request.hostedTools.entries()) {
    if (dialect === 'openai-responses') tools.push({ ...value });
    else report.refuse(`tools.${index}`, `the tool ${name}, which its provider runs`);
  }
  const { toolChoice, parallelToolCalls } = request;
  return {
    ...(tools.length === 0 ? {} : { tools }),
    ...(toolChoice === null ? {} : { tool_choice: encodeToolChoice(toolChoice) }),
    ...(parallelToolCalls === null ? {} : { parallel_tool_calls: parallelToolCalls }),
  };
}

function encodeTool(tool: ToolDefinition, report: EncodeReport): JsonObject {
  const { name, description, parameters, strict } = tool;
  dropCache(tool.cache, report);
  return {
    type: 'function',
    name,
    ...(description === null ? {} : { description }),
    parameters,
    // Left out it means true here, and false in every other dialect.
    strict: strict ?? false,
  };
}

function encodeToolChoice(choice: ToolChoice): unknown {
  return choice.type === 'tool' ? { type: 'function', name: choice.name } : choice.type;
}
