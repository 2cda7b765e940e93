/** Longer than any model name; input from callers and providers can have any length. */
const MAX_NAME_LENGTH = 200;
/** Characters that PostgreSQL text does not allow. */
const NUL = '\0';

/** Makes an external name storable: truncated, without NUL or lone surrogates. */
export function boundName<T extends string | null>(name: T): T | string {
  if (name === null) return name;
  const short = name.length > MAX_NAME_LENGTH ? name.slice(0, MAX_NAME_LENGTH) : name;
  return (short.includes(NUL) ? short.replaceAll(NUL, '') : short).toWellFormed();
}
