import { parseUsd } from '@tollgate/core/money/money';
import { openDatabase, type Database } from '@tollgate/db/client';
import { openEmbedded } from '@tollgate/db/embedded/embedded';
import { refreshKeyStandings } from '@tollgate/db/queries/keys/key-rankings';
import { revokeKey } from '@tollgate/db/queries/keys/keys';
import { putModel } from '@tollgate/db/queries/models/models';
import { rollUpRequests, storePastRequests } from '@tollgate/db/queries/usage/past-usage';
import { addRoute } from '@tollgate/db/queries/catalogue/routes';
import { createKeyFixture } from '@tollgate/testing/factories';
import type { Installation } from './installation.ts';
import { pastRequest } from './past-request.ts';

const CHUNK_ROWS = 5_000;

/** Opens the installation's database. */
export async function openInstallationDatabase(installation: Installation): Promise<Database> {
  const { url } = await openEmbedded(installation.dataDir);
  return openDatabase(url, { maxConnections: 1 });
}

/** Makes an owner a viewer of their account, which no page offers yet. */
export async function makeViewer(installation: Installation, accountId: string): Promise<void> {
  const db = await openInstallationDatabase(installation);
  await db.sql`UPDATE memberships SET role = 'viewer' WHERE account_id = ${accountId}`;
  await db.close();
}

/** Adds a member to another user's account. */
export async function addMember(installation: Installation, email: string, accountId: string): Promise<void> {
  const db = await openInstallationDatabase(installation);
  await db.sql`
    INSERT INTO memberships (user_id, account_id, role)
    SELECT id, ${accountId}, 'admin' FROM users WHERE email = ${email}`;
  await db.close();
}

/** Realistic models, all served by the built-in demo provider. Prices in dollars per million tokens. */
export async function addModels(installation: Installation): Promise<void> {
  const models = [
    ['claude-sonnet-4-5', '3', '15', 200_000],
    ['claude-haiku-4-5', '1', '5', 200_000],
    ['gpt-5', '1.25', '10', 400_000],
    ['gpt-5-mini', '0.25', '2', 400_000],
    ['gpt-5-nano', '0.05', '0.4', 400_000],
    ['text-small', '0.02', '0.08', 32_000],
  ] as const;
  const db = await openInstallationDatabase(installation);
  for (const [id, input, output, contextTokens] of models) {
    const prices = {
      inputNanoUsdPerMtok: parseUsd(input) ?? 0n,
      outputNanoUsdPerMtok: parseUsd(output) ?? 0n,
      cacheReadNanoUsdPerMtok: null,
      cacheWriteNanoUsdPerMtok: null,
      cacheWrite1hNanoUsdPerMtok: null,
    };
    await putModel(db, { id, facts: { contextTokens }, prices, now: new Date() });
    const route = { modelId: id, providerName: 'demo', upstreamModel: 'tollgate-demo' };
    await addRoute(db, { ...route, priority: 0, weight: 1 });
  }
  await db.close();
}

export interface SeededKey {
  name: string;
  models?: string;
  maxBudget?: string;
  rpm?: string;
  tpm?: string;
  expiresInDays?: number;
  /** Total cost, and cost of the last week. */
  spentNanoUsd?: bigint;
  weekNanoUsd?: bigint;
  weekRequests?: number;
  lastUsedSecondsAgo?: number;
  isRevoked?: boolean;
}

/** A key with the usage of several months. */
export async function seedKey(
  installation: Installation,
  account: { email: string; id: string },
  seed: SeededKey,
): Promise<string> {
  const db = await openInstallationDatabase(installation);
  const { key, secret } = await createKeyFixture(db, account.id, {
    name: seed.name,
    allowedModels: seed.models?.split(',') ?? null,
    maxBudgetUsd: seed.maxBudget ?? null,
    rpm: seed.rpm === undefined ? null : Number(seed.rpm),
    tpm: seed.tpm === undefined ? null : Number(seed.tpm),
    expiresAt: seed.expiresInDays === undefined ? null : inDays(seed.expiresInDays),
  });
  if (seed.lastUsedSecondsAgo !== undefined)
    await recordUse(db, { accountId: account.id, keyId: key.id, seed });
  if (seed.isRevoked === true)
    await revokeKey(db, { keyId: key.id, accountId: account.id, actorUserId: null });
  await db.close();
  return secret;
}

function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString();
}

async function recordUse(
  db: Database,
  { accountId, keyId, seed }: { accountId: string; keyId: string; seed: SeededKey },
): Promise<void> {
  const { spentNanoUsd = 0n, weekNanoUsd = 0n, weekRequests = 0, lastUsedSecondsAgo = 0 } = seed;
  const made = (at: Date, costNanoUsd: bigint) =>
    pastRequest({ accountId, keyId }, { at, costNanoUsd, chargesBalance: false });
  const aDayAgo = new Date(Date.now() - 86_400_000);
  const before = spentNanoUsd - weekNanoUsd;
  const requests = [
    ...(before > 0n ? [made(startOfLastMonth(), before)] : []),
    ...Array.from({ length: weekRequests }, (_, index) => made(aDayAgo, index === 0 ? weekNanoUsd : 0n)),
  ];
  for (let stored = 0; stored < requests.length; stored += CHUNK_ROWS)
    await storePastRequests(db, requests.slice(stored, stored + CHUNK_ROWS));
  if (requests.length > 0) await rollUpRequests(db, [keyId]);
  await db.sql`
    UPDATE key_totals SET last_used_at = now() - make_interval(secs => ${lastUsedSecondsAgo})
    WHERE key_id = ${keyId}`;
  await refreshKeyStandings(db, 'all', Date.now());
}

/** Older requests have no partition. */
function startOfLastMonth(): Date {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1));
}

/** More keys than one page of the list. */
export async function seedManyKeys(
  installation: Installation,
  accountId: string,
  count: number,
): Promise<void> {
  const db = await openInstallationDatabase(installation);
  for (let index = 0; index < count; index++) {
    await createKeyFixture(db, accountId, { name: `bulk-${index}` });
  }
  await db.close();
}

/** The keys of the design mockup, each in another state. */
export const PICTURE_KEYS: SeededKey[] = [
  { name: 'old-demo', models: 'gpt-5-mini', maxBudget: '1', isRevoked: true, lastUsedSecondsAgo: 900_000 },
  { name: 'staging', models: 'claude-haiku-4-5', rpm: '120', maxBudget: '25' },
  {
    name: 'my-laptop',
    expiresInDays: 3,
    spentNanoUsd: 3_905_214_000n,
    weekNanoUsd: 132_000n,
    weekRequests: 2,
    lastUsedSecondsAgo: 100_000,
  },
  {
    name: 'nightly-import',
    models: 'gpt-5-nano,text-small',
    maxBudget: '2.50',
    rpm: '30',
    spentNanoUsd: 2_500_000_000n,
    weekNanoUsd: 812_400_000n,
    weekRequests: 18_260,
    lastUsedSecondsAgo: 7_300,
  },
  {
    name: 'ci-evals',
    models: 'gpt-5-mini',
    maxBudget: '10',
    rpm: '60',
    tpm: '40000',
    spentNanoUsd: 9_310_000_000n,
    weekNanoUsd: 2_070_000_000n,
    weekRequests: 3_914,
    lastUsedSecondsAgo: 250,
  },
  {
    name: 'production-api',
    models: 'claude-sonnet-4-5,gpt-5-mini,claude-haiku-4-5,gpt-5',
    maxBudget: '100',
    rpm: '600',
    tpm: '400000',
    spentNanoUsd: 61_200_000_000n,
    weekNanoUsd: 14_820_000_000n,
    weekRequests: 41_208,
    lastUsedSecondsAgo: 12,
  },
];
