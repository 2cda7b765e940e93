import { asObject, type JsonObject } from '../../json/parse-object.ts';

/**
 * Changes the objects of a list in an object.
 * @returns the same object if the member is not a list, or if no entry changes
 */
export function mapList(
  object: JsonObject,
  member: string,
  change: (entry: JsonObject, index: number) => JsonObject,
): JsonObject {
  const list = object[member];
  if (!Array.isArray(list)) return object;
  let isChanged = false;
  const changed = list.map((entry: unknown, index) => {
    const given = asObject(entry);
    const fitted = given === null ? entry : change(given, index);
    isChanged ||= fitted !== entry;
    return fitted;
  });
  return isChanged ? { ...object, [member]: changed } : object;
}
