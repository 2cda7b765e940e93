import { typedKeys } from '@tollgate/core/runtime/typed-keys';

const ESCAPED = /["\\]/;

/** Writes the value of an attribute within a record within an array; '' is NULL. */
type Writer = (value: unknown) => string;

const WRITERS: Readonly<Record<string, Writer>> = {
  text: (value) => (typeof value === 'string' ? quote(value) : ''),
  jsonb: (value) => (value === null || value === undefined ? '' : quote(JSON.stringify(value))),
  'timestamp with time zone': (value) => new Date(Number(value)).toISOString(),
  integer: writePlain,
  bigint: writePlain,
  boolean: writePlain,
};

/**
 * Creates a function that writes records as one array of a composite type.
 * https://www.postgresql.org/docs/current/rowtypes.html#ROWTYPES-IO-SYNTAX
 * @param columns the attributes in the order of the type: each member of a record with its SQL type. Times are in ms since
 * 1970; objects are for `jsonb`
 * @throws Error if an SQL type has no text form here
 */
export function createRecordWriter<Item extends object>(
  columns: Readonly<Record<keyof Item & string, { getSQLType(): string }>>,
): (records: readonly Item[]) => string {
  const members = typedKeys(columns).map((member) => {
    const type = columns[member].getSQLType();
    const write = WRITERS[type];
    if (write === undefined) throw new Error(`No text form for ${member} of type ${type}`);
    return { member, write };
  });
  const writeRecord = (record: Item) => {
    let text = '';
    for (const [at, { member, write }] of members.entries())
      text += (at === 0 ? '"(' : ',') + write(record[member]);
    return `${text})"`;
  };
  return (records) => `{${records.map(writeRecord).join(',')}}`;
}

/** Escaped twice: as attribute of a record, and as element of an array. */
function quote(text: string): string {
  const escaped = ESCAPED.test(text) ? text.replaceAll('\\', '\\\\\\\\').replaceAll('"', '\\"\\"') : text;
  return `\\"${escaped}\\"`;
}

function writePlain(value: unknown): string {
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
    ? String(value)
    : '';
}
