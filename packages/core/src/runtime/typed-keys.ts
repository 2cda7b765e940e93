/** The keys of a table that has an entry for each member of a union, in its order. */
export function typedKeys<Key extends string>(table: Readonly<Record<Key, unknown>>): Key[] {
  return Object.keys(table).filter((key): key is Key => key in table);
}
