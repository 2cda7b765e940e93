/** No model has a longer name; what callers and providers write may be of any length. */
const MAX_NAME_LENGTH = 200;
/** What PostgreSQL takes in no text. */
const NUL = '\0';

/** Makes a name that came from outside one that can be stored: cut, without NUL and without half surrogate pairs. */
export function boundName<T extends string | null>(name: T): T | string {
  if (name === null) return name;
  const short = name.length > MAX_NAME_LENGTH ? name.slice(0, MAX_NAME_LENGTH) : name;
  return (short.includes(NUL) ? short.replaceAll(NUL, '') : short).toWellFormed();
}
