/** @returns the members of usage, at any depth, that are numbers but not counts */
export function checkCounts(at: string, usage: object): string[] {
  return Object.entries(usage).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value === 'object' && value !== null) return checkCounts(`${at}.${name}`, value);
    const isViolation = typeof value === 'number' && (!Number.isSafeInteger(value) || value < 0);
    return isViolation ? [`${at}.${name}: ${value} is no count`] : [];
  });
}

/** @returns an error for each entry with an empty or repeated id */
export function checkIds(at: string, entries: readonly { id: string }[]): string[] {
  const ids = entries.map(({ id }) => id);
  return ids.flatMap((id, index) => {
    if (id === '') return [`${at}.${index}.id: must not be empty`];
    return ids.indexOf(id) === index ? [] : [`${at}.${index}.id: ${id} is taken`];
  });
}
