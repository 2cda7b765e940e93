import { openDatabase, type Database } from '@tollgate/db/client';
import { openEmbedded } from '@tollgate/db/embedded';
import { createKeyFixture } from '@tollgate/testing/factories';
import { z } from 'zod';
import { tollgate, type Installation } from './installation.ts';

const keySchema = z.object({ id: z.string(), key: z.string() });

/** Opens the database that the installation runs on. */
export async function openInstallationDatabase(installation: Installation): Promise<Database> {
  const { url } = await openEmbedded(installation.dataDir);
  return openDatabase(url, { maxConnections: 1 });
}

/** Makes somebody a mere viewer of an account that is theirs: no page offers that yet. */
export async function makeViewer(installation: Installation, accountId: string): Promise<void> {
  const db = await openInstallationDatabase(installation);
  await db.sql`UPDATE memberships SET role = 'viewer' WHERE account_id = ${accountId}`;
  await db.close();
}

/** Adds a person to an account of somebody else's. */
export async function addMember(installation: Installation, email: string, accountId: string): Promise<void> {
  const db = await openInstallationDatabase(installation);
  await db.sql`
    INSERT INTO memberships (user_id, account_id, role)
    SELECT id, ${accountId}, 'admin' FROM users WHERE email = ${email}`;
  await db.close();
}

/** Models as an installation has them, all answered by the built-in demo provider. */
export async function addModels(installation: Installation): Promise<void> {
  const models = [
    ['claude-sonnet-4-5', '3', '15', '200000'],
    ['claude-haiku-4-5', '1', '5', '200000'],
    ['gpt-5', '1.25', '10', '400000'],
    ['gpt-5-mini', '0.25', '2', '400000'],
    ['gpt-5-nano', '0.05', '0.4', '400000'],
    ['text-small', '0.02', '0.08', '32000'],
  ] as const;
  for (const [id, input, output, context] of models) {
    await tollgate(installation, [
      'model',
      'add',
      '--id',
      id,
      '--input-price',
      input,
      '--output-price',
      output,
      '--context',
      context,
    ]);
    await tollgate(installation, [
      'route',
      'add',
      '--model',
      id,
      '--provider',
      'demo',
      '--upstream-model',
      'tollgate-demo',
    ]);
  }
}

export interface SeededKey {
  name: string;
  models?: string;
  maxBudget?: string;
  rpm?: string;
  tpm?: string;
  expires?: string;
  /** What it has cost in all, and in the last week. */
  spentNanoUsd?: bigint;
  weekNanoUsd?: bigint;
  weekRequests?: number;
  lastUsedSecondsAgo?: number;
  isRevoked?: boolean;
}

/** A key by the command line, then the use that months of traffic would have recorded. */
export async function seedKey(
  installation: Installation,
  account: { email: string; id: string },
  seed: SeededKey,
): Promise<string> {
  const flags = {
    '--models': seed.models,
    '--max-budget': seed.maxBudget,
    '--rpm': seed.rpm,
    '--tpm': seed.tpm,
    '--expires': seed.expires,
  };
  const options = Object.entries(flags).flatMap(([flag, value]) =>
    value === undefined ? [] : [flag, value],
  );
  const created = keySchema.parse(
    await tollgate(installation, [
      'key',
      'create',
      '--account',
      account.email,
      '--name',
      seed.name,
      ...options,
    ]),
  );
  if (seed.lastUsedSecondsAgo !== undefined)
    await recordUse(installation, { accountId: account.id, keyId: created.id, seed });
  if (seed.isRevoked === true) await tollgate(installation, ['key', 'revoke', created.id]);
  return created.key;
}

async function recordUse(
  installation: Installation,
  { accountId, keyId, seed }: { accountId: string; keyId: string; seed: SeededKey },
): Promise<void> {
  const db = await openInstallationDatabase(installation);
  await db.sql`
    UPDATE key_totals
    SET spent_nano_usd = ${String(seed.spentNanoUsd ?? 0n)},
        last_used_at = now() - make_interval(secs => ${seed.lastUsedSecondsAgo ?? 0})
    WHERE key_id = ${keyId}`;
  if (seed.weekRequests !== undefined) {
    await db.sql`
      INSERT INTO usage_hourly (hour, account_id, key_id, model, requests, cost_nano_usd)
      VALUES (date_trunc('hour', now() - interval '1 day'), ${accountId}, ${keyId}, 'gpt-5-mini',
              ${seed.weekRequests}, ${String(seed.weekNanoUsd ?? 0n)})`;
  }
  await db.close();
}

/** More keys than a page of the list holds. */
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

/** The keys of the design's picture: each in another moment of its life. */
export const PICTURE_KEYS: SeededKey[] = [
  { name: 'old-demo', models: 'gpt-5-mini', maxBudget: '1', isRevoked: true, lastUsedSecondsAgo: 900_000 },
  { name: 'staging', models: 'claude-haiku-4-5', rpm: '120', maxBudget: '25' },
  {
    name: 'my-laptop',
    expires: '3d',
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
