import { createId } from '@tollgate/core/runtime/ids';
import { emailSchema } from '@tollgate/core/keys/credentials';
import { FULL_PRICE_PPM, formatUsd } from '@tollgate/core/money/money';
import type { Database } from '@tollgate/db/client';
import { listAccounts, type AccountOverview } from '@tollgate/db/queries/accounts/accounts';
import { countSeeds } from '@tollgate/db/queries/usage/past-usage';
import { listPlans } from '@tollgate/db/queries/plans/plans';
import { ensureRequestPartitions } from '@tollgate/db/queries/system/request-partitions';
import { inTransaction } from '@tollgate/db/transaction';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { prepareModels } from '../../demo/prepare-models.ts';
import { seedMonth, type SeededMonth } from '../../demo/seed-month.ts';
import type { CliEnv } from '../../env.ts';
import { Failure } from '../../failure.ts';
import { withInstallation } from '../../installation.ts';
import { integerOption } from '../../options/integer-option.ts';
import { counted, usd, whole } from '../../output/format.ts';
import { getAccount } from '../account/account-view.ts';

const DAY_MS = 86_400_000;
const DAYS = 30;
const PARTITION_MONTHS_AHEAD = 3;
const DEFAULT_REQUESTS = 20_000;

const inputSchema = z.object({
  account: emailSchema.optional(),
  requests: integerOption({ min: 100, max: 1_000_000 }).default(DEFAULT_REQUESTS),
  yes: z.boolean().default(false),
  again: z.boolean().default(false),
});
type Input = z.infer<typeof inputSchema>;

export function addDemoSeed(demo: Command): void {
  addCommand(demo, {
    usage: 'seed',
    summary: 'Add one month of synthetic usage to an account',
    options: [
      { flags: '--account <email>', about: "the account's owner (default: the first operator)" },
      { flags: '--requests <n>', about: `number of requests (default: ${whole(DEFAULT_REQUESTS)})` },
      { flags: '--yes', about: 'allow it if DATABASE_URL is set' },
      { flags: '--again', about: 'add another month if the account already has one' },
    ],
    input: inputSchema,
    examples: ['tollgate demo seed', 'tollgate demo seed --account you@example.com --requests 100000'],
    run: async (input, { env, clock }) => {
      refuseRealDatabase(env, input);
      const startedAtMs = clock.nowMs();
      const seeded = await withInstallation(env, ({ db }) => seed(db, input, startedAtMs));
      const seconds = ((clock.nowMs() - startedAtMs) / 1000).toFixed(1);
      const text = seeded.hadUsage
        ? `${seeded.email} already has a month of synthetic usage. To add another one, use --again.`
        : `${getText(seeded)}\nDone in ${seconds} s.`;
      return { json: toJson(seeded), text };
    },
  });
}

/** Synthetic usage cannot be removed from the ledger. */
function refuseRealDatabase(env: CliEnv, { yes }: Input): void {
  if (env.DATABASE_URL === undefined || yes) return;
  throw new Failure(
    'not_embedded',
    'DATABASE_URL is set, and synthetic usage cannot be removed from that database. To add it anyway, use --yes.',
  );
}

interface Seeded extends SeededMonth {
  email: string;
  modelsAdded: string[];
  /** True: the account has a month already, and nothing was added. */
  hadUsage: boolean;
}

const NOTHING = {
  requests: 0,
  keys: 0,
  costNanoUsd: 0n,
  topUps: 0,
  topUpCents: 0,
  modelsAdded: [],
  hadUsage: true,
};

async function seed(db: Database, input: Input, nowMs: number): Promise<Seeded> {
  const account =
    input.account === undefined ? await findFirstOperator(db) : await getAccount(db, input.account);
  const before = await countSeeds(db, account.id);
  if (before > 0 && !input.again) return { ...NOTHING, email: account.email };
  await ensureRequestPartitions(db, PARTITION_MONTHS_AHEAD);
  const span = { sinceMs: getStart(nowMs), untilMs: nowMs };
  const { prices, added } = await prepareModels(db, nowMs, new Date(span.sinceMs));
  const plan = (await listPlans(db)).find(({ id }) => id === account.planId);
  const { id, email, isPrepaid } = account;
  const month = await inTransaction(db, (tx) =>
    seedMonth(tx, {
      account: { id, email, isPrepaid, pricePpm: plan?.pricePpm ?? FULL_PRICE_PPM },
      span,
      requests: input.requests,
      seed: before + 1,
      routeId: createId('route'),
      prices,
      onProgress: (line) => void process.stderr.write(`${line}\n`),
    }),
  );
  return { ...month, email, modelsAdded: added, hadUsage: false };
}

async function findFirstOperator(db: Database): Promise<AccountOverview> {
  const operator = (await listAccounts(db)).find(({ isOperator }) => isOperator);
  if (operator !== undefined) return operator;
  throw new Failure(
    'no_operator',
    'This installation has no operator yet. Sign up in the console first, or use --account.',
  );
}

/** One month ago, but not before the start of last month: older partitions do not exist. */
function getStart(nowMs: number): number {
  const now = new Date(nowMs);
  return Math.max(nowMs - DAYS * DAY_MS, Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1));
}

function toJson({ costNanoUsd, topUpCents, ...seeded }: Seeded) {
  return {
    ...seeded,
    costUsd: formatUsd(costNanoUsd),
    topUpUsd: formatUsd(BigInt(topUpCents) * 10_000_000n),
  };
}

function getText(seeded: Seeded): string {
  const { email, requests, keys, costNanoUsd, topUps, topUpCents, modelsAdded } = seeded;
  const paid =
    topUps === 0
      ? ''
      : `, with ${counted(topUps, 'top-up')} for a total of ${usd(BigInt(topUpCents) * 10_000_000n)}`;
  const models =
    modelsAdded.length === 0
      ? []
      : [`Added models at catalogue prices, without routes: ${modelsAdded.join(', ')}.`];
  return [
    `${email} now has a month of synthetic usage: ${counted(requests, 'request')} of ${counted(keys, 'key')}, ${usd(costNanoUsd)}${paid}.`,
    ...models,
    'No request was sent and nothing was paid. Verify the ledger with `tollgate ledger verify`.',
  ].join('\n');
}
