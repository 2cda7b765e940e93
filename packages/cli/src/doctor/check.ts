/** One line of `tollgate doctor`. */
export interface Check {
  name: string;
  status: 'ok' | 'warn' | 'fail';
  /** What was found. */
  detail: string;
  /** What to do about it; null where nothing is to be done. */
  fix: string | null;
}

export const ok = (name: string, detail: string): Check => ({ name, status: 'ok', detail, fix: null });
export const warn = (name: string, detail: string, fix: string): Check => ({
  name,
  status: 'warn',
  detail,
  fix,
});
export const fail = (name: string, detail: string, fix: string): Check => ({
  name,
  status: 'fail',
  detail,
  fix,
});
