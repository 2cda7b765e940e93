import { asObject } from '../fake-provider/parse-completion-request.ts';

export type Schema = Record<string, unknown>;

/** The discriminators of unions; messages of a conversation differ in their role. */
const TAGS = ['type', 'role'];

/**
 * Rewrites unions of objects that differ in `type` or `role` so that only the variant named by the value is validated, and
 * errors are about that variant only.
 * @returns a new, equivalent schema
 */
export function narrowUnions(root: Schema): Schema {
  const narrow = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(narrow);
    if (typeof value !== 'object' || value === null) return value;
    const { anyOf, ...rest } = asObject(value);
    const inner = Object.fromEntries(Object.entries(rest).map(([key, member]) => [key, narrow(member)]));
    if (!Array.isArray(anyOf)) return inner;
    const variants = anyOf.flatMap((variant) => flatten(variant, root));
    const objects = variants.filter((variant) => variant['type'] !== 'null');
    const narrowed = { ...inner, ...createUnion(objects, root, narrow) };
    return objects.length === variants.length ? narrowed : { if: { type: 'null' }, else: narrowed };
  };
  return asObject(narrow(root));
}

/** Flattens nested unions; other references stay. */
function flatten(variant: unknown, root: Schema): Schema[] {
  const schema = asObject(variant);
  const target = resolve(schema, root);
  return Array.isArray(target['anyOf']) && Object.keys(target).length === 1
    ? target['anyOf'].flatMap((inner) => flatten(inner, root))
    : [schema];
}

function resolve(schema: Schema, root: Schema): Schema {
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema;
  const name = decodeURIComponent(reference.replace('#/definitions/', ''));
  const target = asObject(asObject(root['definitions'])[name]);
  return resolve(target, root);
}

function createUnion(variants: readonly Schema[], root: Schema, narrow: (value: unknown) => unknown): Schema {
  const [only] = variants;
  if (only !== undefined && variants.length === 1) return asObject(narrow(only));
  const tag = TAGS.find((name) =>
    variants.every((variant) => getTags(resolve(variant, root), name).length > 0),
  );
  if (tag === undefined) return { anyOf: variants.map(narrow) };
  const tagged = new Map<unknown, unknown[]>();
  for (const variant of variants) {
    for (const value of getTags(resolve(variant, root), tag)) {
      const known = tagged.get(value) ?? [];
      known.push(narrow(variant));
      tagged.set(value, known);
    }
  }
  return {
    type: 'object',
    required: [tag],
    properties: { [tag]: { enum: [...tagged.keys()] } },
    allOf: [...tagged].map(([value, alike]) => ({
      if: { properties: { [tag]: { const: value } }, required: [tag] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: alike.length === 1 ? alike[0] : { anyOf: alike },
    })),
  };
}

/** The values of `tag` in an object that requires it; none: it has no such member. */
function getTags(variant: Schema, tag: string): unknown[] {
  const required = variant['required'];
  const member = asObject(asObject(variant['properties'])[tag]);
  if (!Array.isArray(required) || !required.includes(tag)) return [];
  if ('const' in member) return [member['const']];
  return Array.isArray(member['enum']) ? member['enum'] : [];
}
