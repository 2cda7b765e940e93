import { readStored, writeStored } from '../../lib/stored.ts';

const STORAGE_KEY = 'tollgate-return';
/** Same lifetime as the links in the emails. */
const KEPT_MS = 60 * 60_000;

/** Stores the return path while the person opens a link in an email. */
export function keepReturn(path: string | undefined): void {
  writeStored(STORAGE_KEY, path === undefined ? '' : `${Date.now() + KEPT_MS} ${path}`);
}

/** @returns the stored path, once; undefined if none or expired */
export function takeReturn(): string | undefined {
  const [, endsAt, path] = /^(\d+) (.+)$/.exec(readStored(STORAGE_KEY) ?? '') ?? [];
  keepReturn(undefined);
  return Number(endsAt) > Date.now() ? path : undefined;
}
