import { getMonthRange, statementMonthSchema } from '@tollgate/core/money/statement-month';

const name = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const moment = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** `2026-10` → `October 2026`; other texts stay as they are. */
export function describeMonth(month: string): string {
  const parsed = statementMonthSchema.safeParse(month);
  return parsed.success ? name.format(getMonthRange(parsed.data).from) : month;
}

/** `1 Dec, 00:00`, in UTC. */
export function formatUtcShort(iso: string): string {
  return moment.format(new Date(iso));
}
