import type { CompletionRequest, ToolDefinition } from '@tollgate/core/completion/request';
import type { JsonObject } from '../json/parse-object.ts';
import { defineAnthropicTool } from './anthropic-tools.ts';
import { getCustomTool } from './chat-custom.ts';
import { defineFunction } from './define-function.ts';
import { declaresTools, readDeclaredTools } from './responses-tools.ts';
import { getText } from './text-of.ts';

type HostedTool = CompletionRequest['hostedTools'][number];

/** Tools as providers of other dialects get them: functions, and the names of dropped tools. */
type ReadTools = [functions: ToolDefinition[], hosted: string[]];

/** Reads a tool of one dialect for another one. */
export function readTool(tool: HostedTool): ReadTools {
  switch (tool.dialect) {
    case 'anthropic-messages': {
      const defined = defineAnthropicTool(tool);
      return defined === null ? [[], [getText(tool.value['name'], tool.name)]] : [[defined], []];
    }
    case 'openai-chat':
      return readList([getCustomTool(tool) ?? tool.value]);
    default:
      return readList([tool.value]);
  }
}

/** Reads the tools that an item of the Responses API declares. */
export function readItemTools(item: JsonObject): ReadTools {
  return declaresTools(item) ? readList(item['tools']) : [[], []];
}

function readList(tools: unknown): ReadTools {
  const { client, hosted } = readDeclaredTools(tools);
  return [client.map(defineFunction), hosted];
}
