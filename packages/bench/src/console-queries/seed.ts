import { parseUsd } from '@tollgate/core/money/money';
import type { Database } from '@tollgate/db/client';
import { putModel } from '@tollgate/db/queries/models/models';
import { addProvider } from '@tollgate/db/queries/providers/providers';
import { addRoute } from '@tollgate/db/queries/catalogue/routes';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { creditBalance } from '@tollgate/testing/credit-balance';
import { createId } from '@tollgate/core/runtime/ids';
import { seedKeys, type SeedOptions } from '../growth/seed-keys.ts';
import { seedRequests } from '../growth/seed-requests.ts';
import { PRICES } from '../subjects/completion.ts';
import { seedPeople } from './seed-people.ts';

const ACTIVE_KEYS = 50;
const BALANCE_USD = '10000000';

export interface ConsoleSeed {
  requests: number;
  keys: number;
}

/** Makes one account that has all of it. @returns its id */
export async function seedConsole(
  db: Database,
  { requests, keys }: ConsoleSeed,
  options: SeedOptions,
): Promise<string> {
  const provider = { id: createId('prov'), name: 'instant', dialect: 'openai-chat', preset: null } as const;
  await addProvider(db, { ...provider, baseUrl: 'http://127.0.0.1:1/v1', credentialSealed: null });
  await putModel(db, { id: 'bench-model', facts: {}, prices: PRICES, now: new Date(0) });
  const route = {
    modelId: 'bench-model',
    providerName: 'instant',
    upstreamModel: null,
    priority: 0,
    weight: 1,
  };
  await addRoute(db, route);
  const { accountId } = await createAccountFixture(db, { email: 'busy@example.com', planId: 'standard' });
  await creditBalance(db, { accountId, amountNanoUsd: parseUsd(BALANCE_USD) ?? 0n });
  const active = [];
  for (let index = 0; index < ACTIVE_KEYS; index++)
    active.push((await createKeyFixture(db, accountId, { name: `busy ${index}` })).key.id);
  await seedKeys(db, keys, options);
  await db.sql.begin(async (sql) => {
    // A key never changes its account: a trigger would refuse it.
    await sql`SET LOCAL session_replication_role = replica`;
    await sql`UPDATE api_keys SET account_id = ${accountId} WHERE name LIKE 'Key %'`;
    await sql`UPDATE key_standings SET account_id = ${accountId}`;
  });
  await db.sql.unsafe('VACUUM (ANALYZE) api_keys');
  await seedPeople(db, { accountId, count: keys });
  const asked = active.map((id) => ({ id, accountId, secret: '' }));
  await seedRequests(db, asked, requests, options);
  return accountId;
}
