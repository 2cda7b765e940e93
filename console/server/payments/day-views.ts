import type { LedgerDay, LedgerDayParts } from '@tollgate/db/queries/ledger/list-days';
import { z } from 'zod';
import type { JsonOf } from '../as-json.ts';

/** Entries, and keys, that a day lists. */
export const MAX_DAY_PARTS = 100;
/** A day with the longest change of clocks. */
const MAX_DAY_MS = 48 * 3_600_000;

/** A day of the balance. Amounts are decimal integers of nano-dollars, with their sign. */
export type DayRow = JsonOf<LedgerDay>;
export type DayParts = JsonOf<LedgerDayParts>;

const momentSchema = z.iso.datetime().transform((text) => new Date(text));

export const daySchema = z
  .object({ from: momentSchema, to: momentSchema })
  .refine(({ from, to }) => to > from && to.getTime() - from.getTime() <= MAX_DAY_MS, 'Not a day.');

export function toDayRow({ from, to, sums, changeNanoUsd, balanceAfterNanoUsd }: LedgerDay): DayRow {
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    sums: sums.map((sum) => ({ ...sum, changeNanoUsd: sum.changeNanoUsd.toString() })),
    changeNanoUsd: changeNanoUsd.toString(),
    balanceAfterNanoUsd: balanceAfterNanoUsd.toString(),
  };
}

export function toDayParts({ entries, keys, more }: LedgerDayParts): DayParts {
  return {
    entries: entries.map((entry) => ({
      ...entry,
      at: entry.at.toISOString(),
      changeNanoUsd: entry.changeNanoUsd.toString(),
    })),
    keys: keys.map((key) => ({ ...key, changeNanoUsd: key.changeNanoUsd.toString() })),
    more: { ...more, changeNanoUsd: more.changeNanoUsd.toString() },
  };
}
