/** Reads a text that libraries hang on to their errors. @returns null if there is none */
export function findText(error: unknown, field: string): string | null {
  const value = read(error, field);
  return typeof value === 'string' ? value : null;
}

/** @returns null if there is no such number */
export function findNumber(error: unknown, field: string): number | null {
  const value = read(error, field);
  return typeof value === 'number' ? value : null;
}

function read(error: unknown, field: string): unknown {
  return error instanceof Error ? new Map<string, unknown>(Object.entries(error)).get(field) : undefined;
}
