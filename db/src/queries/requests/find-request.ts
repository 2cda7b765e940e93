import { and, eq, inArray } from 'drizzle-orm';
import { accounts } from '../../schema/accounts.ts';
import { apiKeys } from '../../schema/api-keys.ts';
import { modelPrices } from '../../schema/catalogue.ts';
import { requests } from '../../schema/requests.ts';
import type { Connection } from '../../transaction.ts';
import { recordAudit } from '../audit/audit.ts';
import { toModelPrice, type ModelPrice } from '../models/model-prices.ts';
import { readBilledUsage, type BilledUsage } from './billed-usage.ts';

/** All that is recorded of a request. */
export interface RequestRecordRow {
  request: typeof requests.$inferSelect;
  /** null: the key was deleted. */
  key: { name: string; prefix: string; last4: string } | null;
  /** null: no price, or an earlier release removed it together with its model. */
  price: ModelPrice | null;
  billed: BilledUsage;
  /** Rate cards of further models that it used, by price id. */
  furtherPrices: ReadonlyMap<number, ModelPrice>;
}

/** @returns null if the account has no such request */
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
  const billed = readBilledUsage(row.request);
  return {
    ...row,
    price: row.price === null ? null : toModelPrice(row.price),
    billed,
    furtherPrices: await listFurtherPrices(db, billed),
  };
}

/** With the account that it belongs to. */
export interface InstallationRequest extends RequestRecordRow {
  account: { id: string; name: string };
}

/**
 * A request of any account, for operators. Recorded in the account's audit log.
 * @param query.actorUserId null: the command line
 * @returns null if no account has such a request
 */
export async function findRequestOfInstallation(
  db: Connection,
  { requestId, actorUserId }: { requestId: string; actorUserId: string | null },
): Promise<InstallationRequest | null> {
  const [account] = await db.drizzle
    .select({ id: accounts.id, name: accounts.name })
    .from(requests)
    .innerJoin(accounts, eq(accounts.id, requests.accountId))
    .where(eq(requests.id, requestId))
    .limit(1);
  if (account === undefined) return null;
  const accountId = account.id;
  const record = await findRequest(db, { accountId, requestId });
  if (record === null) return null;
  await recordAudit(db, { actorUserId, accountId, action: 'request.view', subject: requestId });
  return { ...record, account };
}

async function listFurtherPrices(db: Connection, { usage }: BilledUsage): Promise<Map<number, ModelPrice>> {
  const ids = (usage.extras?.iterations ?? []).flatMap(({ priceId }) => priceId ?? []);
  if (ids.length === 0) return new Map();
  const rows = await db.drizzle.select().from(modelPrices).where(inArray(modelPrices.id, ids));
  return new Map(rows.map((row) => [row.id, toModelPrice(row)]));
}
