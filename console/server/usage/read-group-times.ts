import { readGroupTimes, type GroupTimes } from '@tollgate/db/queries/usage/report/group-times';
import type { Database } from '@tollgate/db/client';
import { addCounts, toQuantiles, type Quantiles } from './read-times.ts';

/** How long requests took, and how long until their first byte. */
interface TimesOf {
  latency: Quantiles;
  firstByte: Quantiles;
}

export interface TimesOfGroups {
  groups: (TimesOf & { id: string })[];
  /** Requests outside all groups. */
  others: TimesOf;
  total: TimesOf;
}

/** The quantiles of each group of a range: of exact counts, so that the whole is not made of the parts' quantiles. */
export async function readTimesOfGroups(
  db: Database,
  query: Parameters<typeof readGroupTimes>[1],
): Promise<TimesOfGroups> {
  const rows = await readGroupTimes(db, query);
  return {
    groups: rows.flatMap((row) => (row.group === null ? [] : [{ id: row.group, ...getTimes([row]) }])),
    others: getTimes(rows.filter(({ group }) => group === null)),
    // By tag, the rows of the groups are in the one without a group too.
    total: getTimes(query.groups.by === 'tag' ? rows.filter(({ group }) => group === null) : rows),
  };
}

function getTimes(rows: GroupTimes[]): TimesOf {
  return {
    latency: toQuantiles(addCounts(rows.map(({ latency }) => latency))),
    firstByte: toQuantiles(addCounts(rows.map(({ firstByte }) => firstByte))),
  };
}
