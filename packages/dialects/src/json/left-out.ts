/** Prefix of the placeholder of an omitted value; its length in bytes of JSON follows. */
const MARK = '\0left out:';
/** The mark as JSON, without its closing quote. */
export const MARK_JSON = JSON.stringify(MARK).slice(0, -1);
const NUL = 0;
const MARKED = /^\0left out:(\d{0,8})$/;

/** @returns the JSON length in bytes of the value that this placeholder replaces; null: not a placeholder */
export function leftOutBytes(value: unknown): number | null {
  if (typeof value !== 'string' || value.charCodeAt(0) !== NUL) return null;
  const digits = MARKED.exec(value)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Writes a value as JSON, without the values that an outline left out. */
export function writeWithoutLeftOut(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    leftOutBytes(member) === null ? member : undefined,
  );
}
