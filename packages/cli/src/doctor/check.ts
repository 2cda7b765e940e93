/** One line of `tollgate doctor`. */
export interface Check {
  name: string;
  status: 'ok' | 'warn' | 'fail';
  /** The finding. */
  detail: string;
  /** How to fix it; null if no action is needed. */
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
