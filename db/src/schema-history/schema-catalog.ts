import type postgres from 'postgres';

/** SQL for the definition of the function or aggregate `p`, a row of pg_proc. */
export const ROUTINE_DEFINITION = `CASE WHEN p.prokind = 'a' THEN (
    SELECT concat_ws(' ', g.aggtransfn, g.aggfinalfn, g.aggcombinefn, format_type(g.aggtranstype, NULL), g.agginitval)
    FROM pg_aggregate g WHERE g.aggfnoid = p.oid) ELSE pg_get_functiondef(p.oid) END`;

/**
 * Describes the schema `schemaName`, an entry per object, as `kind name` → definition. Two schemas with equal
 * catalogs behave the same. Partitions are described together, because which months exist depends on the date.
 */
export async function readCatalog(
  sql: postgres.Sql | postgres.TransactionSql,
  schemaName: string,
): Promise<Map<string, string>> {
  const rows = await sql<{ name: string; definition: string }[]>`
    WITH tables AS (
      -- 'c': a composite type.
      SELECT c.oid, c.relname, c.relkind, c.reloptions FROM pg_class c
      WHERE c.relnamespace = ${schemaName}::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'c') AND NOT c.relispartition
        AND c.relname NOT IN ('schema_migrations', 'schema_functions')
    )
    SELECT 'table ' || t.relname AS name, concat_ws(' ', t.relkind, (SELECT string_agg(o, ',' ORDER BY o) FROM unnest(t.reloptions) o), pg_get_partkeydef(t.oid)) AS definition
    FROM tables t
    UNION ALL
    SELECT 'partitions of ' || t.relname, string_agg(DISTINCT coalesce(array_to_string(p.reloptions, ','), '-'), ' ')
    FROM tables t JOIN pg_inherits i ON i.inhparent = t.oid JOIN pg_class p ON p.oid = i.inhrelid GROUP BY t.relname
    UNION ALL
    SELECT 'column ' || t.relname || '.' || a.attname, concat_ws(' ', format_type(a.atttypid, a.atttypmod),
      CASE WHEN a.attnotnull THEN 'NOT NULL' END, 'DEFAULT ' || pg_get_expr(d.adbin, d.adrelid),
      nullif(a.attidentity, ''), nullif(a.attgenerated, ''), a.attcollation::regcollation)
    FROM tables t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
    UNION ALL
    SELECT 'constraint ' || t.relname || '.' || c.conname,
      concat_ws(' ', pg_get_constraintdef(c.oid), CASE WHEN NOT c.convalidated THEN 'NOT VALID' END)
    FROM tables t JOIN pg_constraint c ON c.conrelid = t.oid WHERE c.contype <> 'n'
    UNION ALL
    SELECT 'index ' || i.relname,
      concat_ws(' ', pg_get_indexdef(i.oid), CASE WHEN NOT x.indisvalid THEN 'INVALID' END)
    FROM tables t JOIN pg_index x ON x.indrelid = t.oid JOIN pg_class i ON i.oid = x.indexrelid
    UNION ALL
    SELECT 'trigger ' || t.relname || '.' || g.tgname, concat_ws(' ', pg_get_triggerdef(g.oid), g.tgenabled)
    FROM tables t JOIN pg_trigger g ON g.tgrelid = t.oid WHERE NOT g.tgisinternal
    UNION ALL
    SELECT 'function ' || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')',
      ${sql.unsafe(ROUTINE_DEFINITION)}
    FROM pg_proc p WHERE p.pronamespace = ${schemaName}::regnamespace
    UNION ALL
    SELECT 'sequence ' || c.relname, format_type(s.seqtypid, NULL) || ' ' || s.seqincrement
    FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid WHERE c.relnamespace = ${schemaName}::regnamespace
    UNION ALL
    SELECT 'type ' || t.typname, coalesce(
      (SELECT string_agg(e.enumlabel, ',' ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid), t.typtype::text)
    FROM pg_type t WHERE t.typnamespace = ${schemaName}::regnamespace AND t.typtype IN ('e', 'd')`;
  const qualifier = new RegExp(`(?<![\\w"])"?${schemaName}"?\\.`, 'g');
  return new Map(rows.map(({ name, definition }) => [name, definition.replace(qualifier, '')] as const));
}

export interface CatalogDifference {
  /** `column held_requests.replica_id` */
  object: string;
  state: 'missing' | 'different' | 'extra';
}

/** Lists what `actual` has otherwise than `expected`, sorted by object. */
export function compareCatalogs(
  expected: ReadonlyMap<string, string>,
  actual: ReadonlyMap<string, string>,
): CatalogDifference[] {
  const differences: CatalogDifference[] = [];
  for (const [object, definition] of expected) {
    const found = actual.get(object);
    if (found === undefined) differences.push({ object, state: 'missing' });
    else if (found !== definition) differences.push({ object, state: 'different' });
  }
  for (const object of actual.keys()) if (!expected.has(object)) differences.push({ object, state: 'extra' });
  return differences.toSorted((a, b) => (a.object < b.object ? -1 : 1));
}
