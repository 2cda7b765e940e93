import type { CompletionRequest, ToolChoice, ToolDefinition } from '@tollgate/core/completion/request';
import type { JsonObject } from '../json/parse-object.ts';
import { encodeCacheControl } from './encode-cache-control.ts';
import type { EncodeReport } from '../encode-report.ts';

/** Writes `tools` and `tool_choice`; `parallel_tool_calls` is a part of the choice here. */
export function encodeTools(
  request: Pick<CompletionRequest, 'tools' | 'hostedTools' | 'toolChoice' | 'parallelToolCalls'>,
  report: EncodeReport,
): JsonObject {
  for (const tool of request.hostedTools) {
    if (tool.dialect !== 'anthropic-messages') report.refuse('tools', tool.name);
  }
  const tools = [...request.tools.map(encodeTool), ...request.hostedTools.map(({ value }) => value)];
  if (tools.length === 0) return {};
  const choice = encodeChoice(request.toolChoice, request.parallelToolCalls);
  return { tools, ...(choice === null ? {} : { tool_choice: choice }) };
}

function encodeTool(tool: ToolDefinition): JsonObject {
  const { parameters } = tool;
  return {
    name: tool.name,
    ...(tool.description === null ? {} : { description: tool.description }),
    // The provider demands a type at the root, even of a tool that takes nothing.
    input_schema:
      parameters === null
        ? { type: 'object', properties: {} }
        : { ...parameters, type: parameters['type'] ?? 'object' },
    ...(tool.strict === null ? {} : { strict: tool.strict }),
    ...encodeCacheControl(tool.cache),
  };
}

function encodeChoice(choice: ToolChoice | null, parallel: boolean | null): JsonObject | null {
  if (choice?.type === 'none') return { type: 'none' };
  if (choice === null && parallel !== false) return null;
  const limit = parallel === null ? {} : { disable_parallel_tool_use: !parallel };
  switch (choice?.type) {
    case 'required':
      return { type: 'any', ...limit };
    case 'tool':
      return { type: 'tool', name: choice.name, ...limit };
    case 'auto':
    case undefined:
      return { type: 'auto', ...limit };
  }
}
