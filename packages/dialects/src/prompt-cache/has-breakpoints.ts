import { asObject, type JsonObject } from '../json/parse-object.ts';

/** Content of a tool's result is in a block of a turn, and no deeper. */
const MAX_NESTING = 2;

/** True if a body of the Messages API marks a prefix for the cache. */
export function hasBreakpoints(body: JsonObject): boolean {
  if (isMarked(body)) return true;
  return (
    isAnyMarked(body['tools'], 0) ||
    isAnyMarked(body['system'], 0) ||
    (Array.isArray(body['messages']) &&
      body['messages'].some((turn: unknown) => isAnyMarked(asObject(turn)?.['content'], MAX_NESTING)))
  );
}

function isAnyMarked(list: unknown, levels: number): boolean {
  if (!Array.isArray(list)) return false;
  return list.some((entry: unknown) => {
    const object = asObject(entry);
    if (object === null) return false;
    return isMarked(object) || (levels > 0 && isAnyMarked(object['content'], levels - 1));
  });
}

function isMarked({ cache_control: control }: JsonObject): boolean {
  return control !== undefined && control !== null;
}
