/** The value that stands for one that was left out begins so; its length in bytes of JSON follows. */
const MARK = '\0left out:';
/** The mark as JSON, without its closing quote. */
export const MARK_JSON = JSON.stringify(MARK).slice(0, -1);
const NUL = 0;
const MARKED = /^\0left out:(\d{0,8})$/;

/** @returns the length in JSON of the value that this string stands for, in bytes; null: it stands for none */
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
