/**
 * The text of a value that should have been text. JSON may hold an object whose `toString` is no function, for which
 * `String` throws.
 */
export function getLabel(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'object' : String(value);
}
