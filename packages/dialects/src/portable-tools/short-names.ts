import type { AssistantPart } from '@tollgate/core/completion/content';
import type { CompletionRequest } from '@tollgate/core/completion/request';
import { MAX_NAME, shorten } from './function-name.ts';

/**
 * Shortens the names of functions for chat completions, which take 64 characters; the other dialects take 128. Claude Code
 * names the tools of plugins `mcp__plugin_…`. Responses have the caller's names again: see `long-names.ts`.
 * @returns the request itself if nothing changes
 */
export function withShortNames(request: CompletionRequest): CompletionRequest {
  const { tools, toolChoice, messages } = request;
  if (!tools.some(isLong) && !messages.some(({ content }) => content.some(isLongCall))) return request;
  return {
    ...request,
    tools: tools.map(withShortName),
    toolChoice: toolChoice?.type === 'tool' ? withShortName(toolChoice) : toolChoice,
    messages: messages.map((message) =>
      message.role === 'assistant' ? { ...message, content: message.content.map(withShortCall) } : message,
    ),
  };
}

/** The name of a function as chat completions take it. */
export const toShortName = (name: string): string => (name.length > MAX_NAME ? shorten(name) : name);

const isLong = ({ name }: { name: string }): boolean => name.length > MAX_NAME;

const isLongCall = (part: { type: string; name?: string }): boolean =>
  part.type === 'tool_call' && isLong({ name: part.name ?? '' });

const withShortCall = (part: AssistantPart): AssistantPart =>
  part.type === 'tool_call' ? withShortName(part) : part;

function withShortName<Named extends { name: string }>(named: Named): Named {
  return { ...named, name: toShortName(named.name) };
}
