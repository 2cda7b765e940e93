import { sql, type SQL } from 'drizzle-orm';
import type { Connection } from '../../../transaction.ts';
import { findUsageSource, type UsageRange, type UsageSource } from './filter.ts';

/** By `tag`, a key with several tags counts in the group of each, so the groups may add up to more than the whole. */
export type UsageGroupBy = 'model' | 'key' | 'tag';

/**
 * The rows of a sum by group, and the column of their group: the model ('' if it was never known), the id of the key, or a tag
 * that the key has now ('' if it has none).
 */
export async function findGroupedSource(
  db: Connection,
  range: UsageRange,
  by: UsageGroupBy,
  options = { hasTimes: false },
): Promise<UsageSource & { group: SQL<string> }> {
  switch (by) {
    case 'model':
      return { ...(await findUsageSource(db, range, 'hour', options)), group: sql<string>`model` };
    case 'key':
      return { ...(await findUsageSource(db, range, 'key', options)), group: sql<string>`key_id` };
    case 'tag': {
      const usage = await findUsageSource(db, range, 'key', options);
      return { ...usage, from: joinTags(usage.from, range.accountId), group: TAG };
    }
  }
}

export const TAG = sql<string>`coalesce(tag, '')`;

/** Repeats the rows of a key for each of its tags. */
export function joinTags(from: SQL, accountId: string): SQL {
  return sql`${from} LEFT JOIN (
    SELECT id AS tagged_key_id, unnest(tags) AS tag FROM api_keys WHERE account_id = ${accountId}
  ) AS tagged ON tagged_key_id = key_id`;
}
