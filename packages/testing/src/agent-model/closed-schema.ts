import { asObject } from '../fake-provider/parse-completion-request.ts';

/**
 * Finds the first object in a schema that allows additional properties, which providers refuse in structured output.
 * @param needsAll every property must be required too, as OpenAI demands
 * @returns the error message; null: none
 */
export function findOpenObject(
  schema: unknown,
  needsAll: boolean,
): { path: string[]; violation: 'open' | 'optional' } | null {
  const pending: { value: unknown; path: string[] }[] = [{ value: schema, path: [] }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, path } = next;
    const inside = asObject(value);
    if (inside['type'] === 'object') {
      if (inside['additionalProperties'] !== false) return { path, violation: 'open' };
      const required = new Set<unknown>(Array.isArray(inside['required']) ? inside['required'] : []);
      const names = Object.keys(asObject(inside['properties']));
      if (needsAll && names.some((name) => !required.has(name))) return { path, violation: 'optional' };
    }
    for (const key of ['properties', '$defs', 'definitions'])
      for (const [name, member] of Object.entries(asObject(inside[key])))
        pending.push({ value: member, path: [...path, key, name] });
    const lists = ['anyOf', 'oneOf', 'allOf'].flatMap((key) =>
      Array.isArray(inside[key]) ? inside[key] : [],
    );
    const items = inside['items'] === undefined ? [] : [inside['items']];
    for (const member of [...lists, ...items]) pending.push({ value: member, path });
  }
  return null;
}
