/** Value of a `datetime-local` field in the user's time zone: `2026-11-21T16:05`. */
export function toLocalField(iso: string | undefined): string {
  if (iso === undefined) return '';
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** @returns undefined if the field is empty or invalid */
export function fromLocalField(text: string): string | undefined {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
