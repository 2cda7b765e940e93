import { toPrintable } from '../text/printable.ts';

/** A longer name is cut off. */
export const MAX_SESSION_NAME = 128;

/** Makes the name of a session storable. @returns null if nothing is left */
export function toSessionName(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null;
  const name = toPrintable(value.slice(0, MAX_SESSION_NAME)).trim().toWellFormed();
  return name === '' ? null : name;
}
