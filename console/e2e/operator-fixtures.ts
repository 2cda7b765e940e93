import { randomBytes } from 'node:crypto';
import { createId } from '@tollgate/core/runtime/ids';
import { parseUsd } from '@tollgate/core/money/money';
import { putModel } from '@tollgate/db/queries/models/models';
import { commitBatch } from '@tollgate/testing/commit-batch';
import { requestRecord } from '@tollgate/testing/ledger-records';
import { PASSWORD, type Person } from './fixtures.ts';
import type { Installation } from './installation.ts';
import { createAccount } from './people.ts';
import { openInstallationDatabase } from './seed.ts';

/** An operator with a verified email. */
export async function createOperator(installation: Installation): Promise<Person> {
  const email = `operator-${randomBytes(3).toString('hex')}@example.com`;
  const accountId = await createAccount(installation, { email, password: PASSWORD });
  const db = await openInstallationDatabase(installation);
  await db.sql`UPDATE users SET is_operator = true WHERE email = ${email}`;
  await db.close();
  return { email, password: PASSWORD, accountId };
}

/** A passkey without an authenticator, to be counted and removed. */
export async function seedPasskey(installation: Installation, email: string): Promise<void> {
  const db = await openInstallationDatabase(installation);
  await db.sql`
    INSERT INTO passkeys (id, user_id, credential_id, public_key, counter, name)
    SELECT ${createId('pk')}, id, ${randomBytes(16)}, ${randomBytes(16)}, 0, 'Laptop' FROM users WHERE email = ${email}`;
  await db.close();
}

const DAY_MS = 86_400_000;

/** A model with a past, a current and a future price. */
export async function seedPrices(installation: Installation, modelId: string): Promise<void> {
  const usd = (text: string) => parseUsd(text) ?? 0n;
  const flat = {
    inputNanoUsdPerMtok: usd('3'),
    outputNanoUsdPerMtok: usd('15'),
    cacheReadNanoUsdPerMtok: usd('0.3'),
    cacheWriteNanoUsdPerMtok: usd('3.75'),
    cacheWrite1hNanoUsdPerMtok: usd('6'),
  };
  const longInput = {
    aboveInputTokens: 200_000,
    inputNanoUsdPerMtok: usd('6'),
    outputNanoUsdPerMtok: usd('22.5'),
    cacheReadNanoUsdPerMtok: usd('0.6'),
    cacheWriteNanoUsdPerMtok: usd('7.5'),
    cacheWrite1hNanoUsdPerMtok: usd('12'),
  };
  const db = await openInstallationDatabase(installation);
  const put = (inDays: number, prices: typeof flat & { longInput?: typeof longInput }) =>
    putModel(db, { id: modelId, facts: {}, prices, now: new Date(Date.now() + inDays * DAY_MS) });
  await put(-30, flat);
  await put(-1, { ...flat, longInput });
  await put(7, { ...flat, inputNanoUsdPerMtok: usd('2.5'), longInput });
  await db.close();
}

/**
 * Requests with a provider-reported cost: with drift, without drift, and with unbilled cost.
 * @param mark end of the names of their models: the page of costs shows those of all accounts
 */
export async function seedProviderCosts(
  installation: Installation,
  accountId: string,
  mark: string,
): Promise<void> {
  const db = await openInstallationDatabase(installation);
  const usd = (text: string) => parseUsd(text) ?? 0n;
  const record = (model: string, rest: Parameters<typeof requestRecord>[1]) =>
    requestRecord({ accountId, keyId: 'key' }, { model, provider: 'openrouter', priceId: 1, ...rest });
  const prices = {
    inputNanoUsdPerMtok: usd('2.5'),
    outputNanoUsdPerMtok: usd('10'),
    cacheReadNanoUsdPerMtok: usd('0.25'),
    cacheWriteNanoUsdPerMtok: null,
    cacheWrite1hNanoUsdPerMtok: null,
  };
  await putModel(db, { id: `switching-${mark}`, facts: {}, prices, now: new Date() });
  const [price] = await db.sql<{ id: number }[]>`
    SELECT id::int FROM model_prices WHERE model_id = ${`switching-${mark}`}`;
  const turn = { priceId: price?.id ?? 0, sessionHash: 7, inputTokens: 84_000 };
  const startedAtMs = Date.now() - 60_000;
  await commitBatch(db, {
    settlements: [
      record(`switching-${mark}`, { ...turn, routeId: createId('route'), startedAtMs }),
      record(`switching-${mark}`, { ...turn, routeId: createId('route'), startedAtMs: startedAtMs + 20_000 }),
      record(`drifting-${mark}`, {
        routeId: createId('route'),
        costNanoUsd: usd('65.432186900'),
        reportedCostNanoUsd: usd('67.125'),
      }),
      record(`exact-${mark}`, { costNanoUsd: usd('0.0021345'), reportedCostNanoUsd: usd('0.0021345') }),
      record(`discarded-${mark}`, { costNanoUsd: 0n, operatorCostNanoUsd: usd('1.2345') }),
    ],
  });
  await db.close();
}
