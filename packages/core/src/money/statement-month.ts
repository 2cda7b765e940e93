import { z } from 'zod';

/** A calendar month in UTC: `2026-10`. */
export type StatementMonth = `${number}-${number}`;

const MONTH_PATTERN = /^(20\d\d)-(0[1-9]|1[0-2])$/;
const MONTHS_PER_YEAR = 12;
/** Usage that is posted this long after its month still belongs to it; afterwards its statement is final. */
export const CLOSING_MS = 86_400_000;

export const statementMonthSchema = z
  .string()
  .refine((text): text is StatementMonth => MONTH_PATTERN.test(text), 'Use a month like 2026-10.');

export interface MonthRange {
  from: Date;
  /** Exclusive. */
  to: Date;
  /** From this time on, no entry is added to the month. */
  finalAt: Date;
}

/** `open`: the month has not ended; `closing`: usage of its last hours may still be posted. */
export type StatementState = 'open' | 'closing' | 'final';

export function getMonthRange(month: StatementMonth): MonthRange {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const to = Date.UTC(year, number);
  return { from: new Date(Date.UTC(year, number - 1)), to: new Date(to), finalAt: new Date(to + CLOSING_MS) };
}

export function getStatementState(month: StatementMonth, nowMs: number): StatementState {
  const { to, finalAt } = getMonthRange(month);
  if (nowMs < to.getTime()) return 'open';
  return nowMs < finalAt.getTime() ? 'closing' : 'final';
}

/** The month of a time, in UTC. */
export function findMonth(at: Date): StatementMonth {
  return writeMonth(at.getUTCFullYear(), at.getUTCMonth());
}

/** All months from `first` to `last`, both included, the oldest first. */
export function listMonths(first: StatementMonth, last: StatementMonth): StatementMonth[] {
  const count = countMonths(last) - countMonths(first) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => {
    const months = countMonths(first) + index;
    return writeMonth(Math.floor(months / MONTHS_PER_YEAR), months % MONTHS_PER_YEAR);
  });
}

function countMonths(month: StatementMonth): number {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return year * MONTHS_PER_YEAR + number - 1;
}

function writeMonth(year: number, index: number): StatementMonth {
  const number = (index + 1).toString().padStart(2, '0');
  return `${year}-${number}` as StatementMonth;
}
