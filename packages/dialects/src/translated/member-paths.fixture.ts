import { asObject } from '../json/parse-object.ts';

/** Members whose content is the caller's or the tool's own, not the API's. */
const OPAQUE: readonly string[] = [
  'action',
  'arguments',
  'input',
  'metadata',
  'operation',
  'parameters',
  'schema',
];

/**
 * Lists the members of a document, each below the closest object with a type: `[text].citations`, `[message].usage.speed`.
 * An object has the same members wherever the API sends it. A null is marked, because some clients accept a member only if
 * it is absent or not null: `[text].citations = null`.
 */
export function listMemberPaths(document: unknown): Set<string> {
  const paths = new Set<string>();
  visit(document, '', paths);
  return paths;
}

function visit(value: unknown, path: string, paths: Set<string>): void {
  if (Array.isArray(value)) {
    for (const entry of value) visit(entry, path, paths);
    return;
  }
  const object = asObject(value);
  if (object === null) return;
  const type = object['type'] ?? object['object'];
  const at = typeof type === 'string' ? `[${type}]` : path;
  for (const [name, member] of Object.entries(object)) {
    const place = `${at}.${name}`;
    paths.add(member === null ? `${place} = null` : place);
    if (!OPAQUE.includes(name)) visit(member, place, paths);
  }
}
