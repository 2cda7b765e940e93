const UNSAFE = /["\\]/;

export type PlainValue = number | bigint | boolean | null;

/** An array of PostgreSQL as text: https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO */
export function toPlainArray(values: readonly PlainValue[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}

/** As {@link toPlainArray}, of texts. */
export function toTextArray(values: readonly (string | null)[]): string {
  // Nearly no text holds a character that must be escaped.
  const quote = (text: string) => `"${UNSAFE.test(text) ? text.replaceAll(/["\\]/g, '\\$&') : text}"`;
  return `{${values.map((value) => (value === null ? 'NULL' : quote(value))).join(',')}}`;
}
