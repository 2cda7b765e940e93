/** `-20250929`, `-2025-08-07`, `_2025_08_26`, `=2025-08-07`. */
const DATE = /[-_=]\d{4}([-_]?)\d{2}\1\d{2}$/;

/** The name of a model, a tool or a beta feature without the date of its version. */
export function withoutDate(name: string): string {
  return name.replace(DATE, '');
}
