import { typedKeys } from '@tollgate/core/runtime/typed-keys';

/** Writes the value of an attribute within a record within an array; '' is NULL. */
type Writer = (value: unknown) => string;

const WRITERS: Readonly<Record<string, Writer>> = {
  text: (value) => (typeof value === 'string' ? quote(value) : ''),
  jsonb: (value) => (value === null || value === undefined ? '' : quote(JSON.stringify(value))),
  'timestamp with time zone': writeTime,
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
    for (let at = 0; at < members.length; at += 1) {
      const known = members[at];
      if (known !== undefined) text += (at === 0 ? '"(' : ',') + known.write(record[known.member]);
    }
    return `${text})"`;
  };
  return (records) => `{${records.map(writeRecord).join(',')}}`;
}

/** Escaped twice: as attribute of a record, and as element of an array. */
function quote(text: string): string {
  // `split` and `join` take a third of the time of `replaceAll`.
  const slashed = text.includes('\\') ? text.split('\\').join('\\\\\\\\') : text;
  return `\\"${slashed.includes('"') ? slashed.split('"').join('\\"\\"') : slashed}\\"`;
}

/** The last second that was written, since most records of a batch share it. */
let writtenSecond = { second: NaN, text: '' };

function writeTime(value: unknown): string {
  const ms = Number(value);
  const second = Math.floor(ms / 1000);
  if (second !== writtenSecond.second)
    writtenSecond = { second, text: new Date(second * 1000).toISOString().slice(0, -4) };
  return `${writtenSecond.text}${String(Math.trunc(ms - second * 1000)).padStart(3, '0')}Z`;
}

function writePlain(value: unknown): string {
  if (typeof value === 'number') return value === 0 ? '0' : String(value);
  return typeof value === 'bigint' || typeof value === 'boolean' ? String(value) : '';
}
