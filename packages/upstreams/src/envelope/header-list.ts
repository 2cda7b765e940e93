/** A header's value in a list of name, value, name, value, …; null if absent. Names are in lower case. */
export function findHeader(list: readonly string[], name: string): string | null {
  for (let at = 0; at + 1 < list.length; at += 2) if (list[at] === name) return list[at + 1] ?? null;
  return null;
}

/** The list without some headers. */
export function withoutHeaders(list: readonly string[], names: readonly string[]): string[] {
  return list.filter((_, at) => !names.includes(list[at - (at % 2)] ?? ''));
}
