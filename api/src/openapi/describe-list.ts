import { listEntries } from '@tollgate/dialects/json/list-schema';
import { z } from 'zod';

/** A schema and the JSON Schema generated from it. */
interface Described {
  zodSchema: object;
  jsonSchema: object;
}

/**
 * Describes the entries of a `listSchema`, which zod treats as unknown. An override for `createDocument`, called for every
 * schema.
 */
export function describeList({ zodSchema, jsonSchema }: Described): void {
  const entry = listEntries.get(zodSchema);
  if (entry !== undefined) Object.assign(jsonSchema, { items: describeEntry(entry) });
}

/** The input type, before any transformation. */
function describeEntry(entry: z.ZodType): object {
  const { $schema: _, ...items } = z.toJSONSchema(entry, { io: 'input', override: describeList });
  return items;
}
