import { readStored, writeStored } from '../../lib/stored.ts';

const STORAGE_KEY = 'tollgate-return';
/** As long as the links of the emails that it is kept for. */
const KEPT_MS = 60 * 60_000;

/** Keeps where someone wanted to go over a link in an email, which opens a separate page. */
export function keepReturn(path: string | undefined): void {
  writeStored(STORAGE_KEY, path === undefined ? '' : `${Date.now() + KEPT_MS} ${path}`);
}

/** @returns what was kept, once; undefined: nothing, or long ago */
export function takeReturn(): string | undefined {
  const [, endsAt, path] = /^(\d+) (.+)$/.exec(readStored(STORAGE_KEY) ?? '') ?? [];
  keepReturn(undefined);
  return Number(endsAt) > Date.now() ? path : undefined;
}
