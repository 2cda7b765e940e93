import { listEntries } from '@tollgate/dialects/json/list-of';
import { z } from 'zod';

/** A schema and the JSON Schema that has been made of it. */
interface Described {
  zodSchema: object;
  jsonSchema: object;
}

/**
 * Says of a `listOf` what its entries are: zod takes them for unknown. An override of `createDocument`, which asks it of
 * every schema.
 */
export function describeList({ zodSchema, jsonSchema }: Described): void {
  const entry = listEntries.get(zodSchema);
  if (entry !== undefined) Object.assign(jsonSchema, { items: describeEntry(entry) });
}

/** What comes in, before any transformation. */
function describeEntry(entry: z.ZodType): object {
  const { $schema: _, ...items } = z.toJSONSchema(entry, { io: 'input', override: describeList });
  return items;
}
