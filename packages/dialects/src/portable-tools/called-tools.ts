import type { JsonObject } from '../json/parse-object.ts';
import { getClientTools, isPlainFunction, type ClientTool } from './responses-tools.ts';

/** Finds the tool that a function represents; null: it is a plain function. */
export type FindTool = (functionName: string) => ClientTool | null;

const findNone: FindTool = () => null;

/** The tools of a request that its answer must name as the caller does. @param body of the caller */
export function getCalledTools(body: JsonObject | undefined): FindTool {
  const tools = body === undefined ? [] : getClientTools(body);
  if (tools.every(isPlainFunction)) return findNone;
  const byName = new Map<string, ClientTool>();
  // Of two tools with one name, the provider gets the first.
  for (const tool of tools) if (!byName.has(tool.functionName)) byName.set(tool.functionName, tool);
  return (functionName) => {
    const tool = byName.get(functionName);
    return tool === undefined || isPlainFunction(tool) ? null : tool;
  };
}
