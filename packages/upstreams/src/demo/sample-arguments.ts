import { asObject, type JsonObject } from '@tollgate/dialects/json/parse-object';

const MAX_DEPTH = 8;

/** Arguments that fit a tool's JSON schema: the required properties, or all if none is required. */
export function sampleArguments(schema: JsonObject): JsonObject {
  return asObject(sampleValue(schema, 0)) ?? {};
}

function sampleValue(schema: JsonObject, depth: number): unknown {
  const given = givenValue(schema);
  if (given !== undefined) return given;
  const type = Array.isArray(schema['type']) ? schema['type'][0] : schema['type'];
  switch (type) {
    case 'object':
      return sampleObject(schema, depth);
    case 'array': {
      const items = asObject(schema['items']);
      return items === null || depth >= MAX_DEPTH ? [] : [sampleValue(items, depth + 1)];
    }
    case 'integer':
    case 'number':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return 'example';
  }
}

/** The value that the schema gives (const, enum, …); undefined: none. */
function givenValue(schema: JsonObject): unknown {
  if ('const' in schema) return schema['const'];
  if ('default' in schema) return schema['default'];
  return Array.isArray(schema['enum']) ? schema['enum'][0] : undefined;
}

function sampleObject(schema: JsonObject, depth: number): JsonObject {
  const properties = asObject(schema['properties']) ?? {};
  const required = new Set<unknown>(
    Array.isArray(schema['required']) ? schema['required'] : Object.keys(properties),
  );
  if (depth >= MAX_DEPTH) return {};
  const entries = Object.entries(properties)
    .filter(([name]) => required.has(name))
    .map(([name, value]) => [name, sampleValue(asObject(value) ?? {}, depth + 1)] as const);
  return Object.fromEntries(entries);
}
