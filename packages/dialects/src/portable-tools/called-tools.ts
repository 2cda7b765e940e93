import type { JsonObject } from '../json/parse-object.ts';
import { getClientTools, type ClientTool } from './responses-tools.ts';

/** Finds the tool that a function represents; null: it is a plain function. */
export type FindTool = (functionName: string) => ClientTool | null;

const findNone: FindTool = () => null;

/** The tools of a request that its answer must name as the caller does. @param body of the caller */
export function getCalledTools(body: JsonObject | undefined): FindTool {
  const special = (body === undefined ? [] : getClientTools(body)).filter(
    ({ kind, namespace }) => kind !== 'function' || namespace !== null,
  );
  if (special.length === 0) return findNone;
  const byName = new Map(special.map((tool) => [tool.functionName, tool]));
  return (functionName) => byName.get(functionName) ?? null;
}
