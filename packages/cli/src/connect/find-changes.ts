/** A value to set, by the names and indexes that lead to it; undefined: to remove. */
export interface Change {
  path: readonly (string | number)[];
  value: unknown;
}

type Settings = Record<string, unknown>;

/** Thrown if a setting exists with another type, so that adding to it would lose its value. */
export class SettingConflict extends Error {
  constructor(path: Change['path']) {
    super(`${path.join('.')} has another type there`);
    this.name = 'SettingConflict';
  }
}

/**
 * Finds what must change so that `existing` contains `added`. Everything else stays. Entries of a list are the same if their
 * `id`, or else their `name`, is the same; other entries are appended.
 * @throws SettingConflict
 */
export function findChanges(existing: Settings, added: Settings, path: Change['path'] = []): Change[] {
  return Object.entries(added).flatMap(([name, value]) => {
    const at = [...path, name];
    const before = Object.hasOwn(existing, name) ? existing[name] : undefined;
    return findChange(before ?? undefined, value, at);
  });
}

/** Finds which of the settings exist and must be removed. */
export function findRemovals(existing: Settings, paths: readonly (readonly string[])[]): Change[] {
  const exists = (path: readonly string[]): boolean =>
    path.reduce<unknown>((at, name) => (isSettings(at) ? at[name] : undefined), existing) !== undefined;
  return paths.filter(exists).map((path) => ({ path, value: undefined }));
}

function findChange(before: unknown, value: unknown, at: Change['path']): Change[] {
  if (before === undefined) return [{ path: at, value }];
  if (Array.isArray(value)) {
    if (!Array.isArray(before)) throw new SettingConflict(at);
    return findListChanges(before, value, at);
  }
  if (isSettings(value)) {
    if (!isSettings(before)) throw new SettingConflict(at);
    return findChanges(before, value, at);
  }
  if (typeof before === 'object') throw new SettingConflict(at);
  return before === value ? [] : [{ path: at, value }];
}

function findListChanges(
  before: readonly unknown[],
  added: readonly unknown[],
  at: Change['path'],
): Change[] {
  let end = before.length;
  return added.flatMap((value) => {
    const index = before.findIndex((item) => isSameEntry(item, value));
    return index < 0 ? [{ path: [...at, end++], value }] : findChange(before[index], value, [...at, index]);
  });
}

function isSameEntry(a: unknown, b: unknown): boolean {
  if (!isSettings(a) || !isSettings(b)) return a === b;
  const name = 'id' in b ? 'id' : 'name';
  return a[name] === b[name];
}

export function isSettings(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
