import { and, eq } from 'drizzle-orm';
import { apiKeys } from '../../schema/api-keys.ts';
import { modelPrices } from '../../schema/catalogue.ts';
import { requests } from '../../schema/requests.ts';
import type { Connection } from '../../transaction.ts';
import { toModelPrice, type ModelPrice } from '../model-prices.ts';

/** All that is recorded of a request. */
export interface RequestRecordRow {
  request: typeof requests.$inferSelect;
  /** null: there is no such key any more. */
  key: { name: string; prefix: string; last4: string } | null;
  /** null: it had none, or an earlier release removed it together with its model. */
  price: ModelPrice | null;
}

/** @returns null where the account has no such request */
export async function findRequest(
  db: Connection,
  query: { accountId: string; requestId: string },
): Promise<RequestRecordRow | null> {
  const [row] = await db.drizzle
    .select({
      request: requests,
      key: { name: apiKeys.name, prefix: apiKeys.prefix, last4: apiKeys.last4 },
      price: modelPrices,
    })
    .from(requests)
    .leftJoin(apiKeys, and(eq(apiKeys.id, requests.keyId), eq(apiKeys.accountId, requests.accountId)))
    .leftJoin(modelPrices, eq(modelPrices.id, requests.priceId))
    .where(and(eq(requests.id, query.requestId), eq(requests.accountId, query.accountId)))
    .limit(1);
  if (row === undefined) return null;
  return { ...row, price: row.price === null ? null : toModelPrice(row.price) };
}
