import { ENTRY_LABELS } from '@tollgate/core/money/entry-labels';
import { visitorTimeZone } from '../../lib/format/time-zone.ts';
import type { DayRow } from '../../lib/trpc.ts';
import { formatChange } from './amount.ts';

/** `28 Nov 2026`, of the moment at which a day begins. */
export function formatDay(from: string, timeZone = visitorTimeZone(), locale?: string): string {
  return new Intl.DateTimeFormat(locale, {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  }).format(new Date(from));
}

/** `Top-up +$20.00, Usage −$1.23`; the only kind of a day needs no amount. */
export function summarizeDay({ sums }: Pick<DayRow, 'sums'>): string {
  const [only] = sums;
  if (only !== undefined && sums.length === 1) return describeKind(only);
  return sums.map((sum) => `${describeKind(sum)} ${formatChange(sum.changeNanoUsd)}`).join(', ');
}

/** Usage has an entry for each hour and key: their number says nothing. */
function describeKind({ kind, entries }: DayRow['sums'][number]): string {
  const label = ENTRY_LABELS[kind].one;
  return kind === 'usage' || entries === 1 ? label : `${entries} × ${label}`;
}
