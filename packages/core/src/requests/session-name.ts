/** A longer name is cut off. */
export const MAX_SESSION_NAME = 128;

// oxlint-disable-next-line no-control-regex -- removed, because names are shown and stored
const CONTROL = /[\u0000-\u001F\u007F-\u009F]/g;

/** Makes the name of a session storable. @returns null if nothing is left */
export function toSessionName(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null;
  const name = value.slice(0, MAX_SESSION_NAME).replaceAll(CONTROL, '').trim().toWellFormed();
  return name === '' ? null : name;
}
