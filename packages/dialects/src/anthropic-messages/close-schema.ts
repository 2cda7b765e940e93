import { asObject } from '../json/parse-object.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Deeper than this no schema is followed: it is passed on as it is, for the provider to judge. */
const MAX_DEPTH = 64;
const MAPS = ['properties', '$defs', 'definitions'];
const LISTS = ['anyOf', 'allOf', 'oneOf'];
/** Limits that the provider's structured output does not enforce; they go into the description for the model. */
const NOT_ENFORCED = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
];

/**
 * Fits a JSON Schema to what structured output takes
 * (https://docs.anthropic.com/en/docs/build-with-claude/structured-outputs): objects are closed unless they say
 * otherwise, and refused limits move to the description. A schema that fits is left as it is.
 */
export function closeSchema(schema: Schema, depth = 0): Schema {
  if (depth > MAX_DEPTH) return schema;
  const inner = (value: unknown) => {
    const object = asObject(value);
    return object === null ? value : closeSchema(object, depth + 1);
  };
  const limits: Record<string, unknown> = {};
  const closed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(schema)) {
    const map = MAPS.includes(name) ? asObject(value) : null;
    if (NOT_ENFORCED.includes(name) || (name === 'minItems' && value !== 0 && value !== 1))
      limits[name] = value;
    else if (map !== null)
      closed[name] = Object.fromEntries(Object.entries(map).map(([key, member]) => [key, inner(member)]));
    else if (LISTS.includes(name) && Array.isArray(value)) closed[name] = value.map(inner);
    else closed[name] = name === 'items' ? inner(value) : value;
  }
  if (closed['type'] === 'object') closed['additionalProperties'] ??= false;
  if (Object.keys(limits).length === 0) return closed;
  const text = JSON.stringify(limits);
  const description = schema['description'];
  return { ...closed, description: typeof description === 'string' ? `${description} ${text}` : text };
}
