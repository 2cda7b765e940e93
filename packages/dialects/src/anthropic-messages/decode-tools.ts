import type { CompletionRequest } from '@tollgate/core/completion/request';
import { getLabel } from '../json/get-label.ts';
import { decodeCacheControl } from './decode-cache-control.ts';
import type { AnthropicRequest, CustomTool, ProviderTool, WireToolChoice } from './request-schema.ts';

type Tools = Pick<CompletionRequest, 'tools' | 'hostedTools' | 'toolChoice' | 'parallelToolCalls'>;

/** Reads `tools` and `tool_choice`. */
export function decodeTools(body: Pick<AnthropicRequest, 'tools' | 'tool_choice'>): Tools {
  const given = body.tools ?? [];
  const choice = body.tool_choice ?? null;
  return {
    tools: given.filter(isCustom).map((tool) => ({
      name: tool.name,
      description: tool.description ?? null,
      parameters: tool.input_schema,
      strict: tool.strict ?? null,
      cache: decodeCacheControl(tool.cache_control),
    })),
    hostedTools: given
      .filter((tool) => !isCustom(tool))
      .map((tool) => ({ dialect: 'anthropic-messages', name: getLabel(tool.type), value: tool })),
    toolChoice: decodeChoice(choice),
    parallelToolCalls: decodeParallel(choice),
  };
}

export function isCustom(tool: CustomTool | ProviderTool): tool is CustomTool {
  return tool.type === undefined || tool.type === null || tool.type === 'custom';
}

function decodeChoice(choice: WireToolChoice | null): Tools['toolChoice'] {
  if (choice === null) return null;
  switch (choice.type) {
    case 'auto':
    case 'none':
      return { type: choice.type };
    case 'any':
      return { type: 'required' };
    case 'tool':
      return { type: 'tool', name: choice.name };
  }
}

function decodeParallel(choice: WireToolChoice | null): boolean | null {
  if (choice === null || choice.type === 'none') return null;
  const isOff = choice.disable_parallel_tool_use ?? null;
  return isOff === null ? null : !isOff;
}
