import { asObject } from '../fake-provider/parse-completion-request.ts';

type Schema = Readonly<Record<string, unknown>>;
const MAX_DEPTH = 12;

/** A value that fits a JSON schema as SDKs generate it: references, unions, lists, constants. */
export function sampleOfSchema(schema: Schema, root: Schema = schema, depth = 0): unknown {
  const inner = (value: unknown) => sampleOfSchema(asObject(value), root, depth + 1);
  if (depth > MAX_DEPTH) return null;
  if (typeof schema['$ref'] === 'string') return inner(resolve(schema['$ref'], root));
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  const union = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(union)) return inner(union[0]);
  if (Array.isArray(schema['allOf']) && schema['type'] === undefined) return inner(schema['allOf'][0]);
  const type: unknown = Array.isArray(schema['type']) ? schema['type'][0] : schema['type'];
  switch (type) {
    case 'string':
      return 'sample';
    case 'number':
    case 'integer':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return schema['items'] === undefined ? [] : [inner(schema['items'])];
    default:
      return Object.fromEntries(
        Object.entries(asObject(schema['properties'])).map(([name, value]) => [name, inner(value)]),
      );
  }
}

function resolve(reference: string, root: Schema): unknown {
  const steps = reference.split('/').slice(1).map(decodeURIComponent);
  return steps.reduce<unknown>((value, step) => asObject(value)[step], root);
}
