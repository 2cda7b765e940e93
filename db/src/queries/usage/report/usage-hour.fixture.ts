import type { Database } from '../../../client.ts';
import { usageHourly } from '../../../schema/requests.ts';

/** An hour of use as requests would have left it; one request if no number is given. */
export async function addUsageHour(
  db: Database,
  row: Omit<Partial<typeof usageHourly.$inferInsert>, 'hour'> & {
    hour: string;
    accountId: string;
    keyId: string;
  },
): Promise<void> {
  await db.drizzle
    .insert(usageHourly)
    .values({ model: 'gpt', requests: 1, ...row, hour: new Date(row.hour) });
}
