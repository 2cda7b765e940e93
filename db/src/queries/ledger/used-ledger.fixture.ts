import type { LedgerBatch } from '@tollgate/core/money/ledger';
import { NO_USAGE, type TokenUsage } from '@tollgate/core/money/money';
import { computeCost } from '@tollgate/core/money/rates/compute-cost';
import { commitBatch } from '@tollgate/testing/commit-batch';
import type { TestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import {
  holdRequest,
  requestRecord,
  getSettlement,
  type RecordOwner,
} from '@tollgate/testing/ledger-records';
import { putModel } from '../models/models.ts';
import { adjustBalance } from './grant-credit.ts';
import { beatReplica } from './lost-holds.ts';
import { postUsage } from './post-usage.ts';
import type { StoredReport } from './verify-usage.ts';

const HOUR_MS = 3_600_000;
const PAST_MS = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 3 * HOUR_MS;
export const USD = 1_000_000_000n;
const PRICES = {
  inputNanoUsdPerMtok: 3n * USD,
  outputNanoUsdPerMtok: 15n * USD,
  cacheReadNanoUsdPerMtok: null,
  cacheWriteNanoUsdPerMtok: null,
  cacheWrite1hNanoUsdPerMtok: null,
};
export const USAGE = { ...NO_USAGE, inputTokens: 7, outputTokens: 11 };
export const RAW_USAGE = '{"input_tokens":7,"output_tokens":11}';
export const PPM = 1_200_000;
export const COST = computeCost(USAGE, PRICES, PPM);

/**
 * One prepaid key with five settled requests, of which three are posted, and one in flight; one key of a plan that
 * charges nothing, with two. Of one request the cost was more than its hold, and of one the provider's usage is stored.
 */
export async function createUsedLedger(
  database: TestDatabase,
): Promise<{ payer: RecordOwner; other: RecordOwner }> {
  const { db } = database;
  await putModel(db, { id: 'm', facts: {}, prices: PRICES, now: new Date(PAST_MS - HOUR_MS) });
  await beatReplica(db.sql, 'rep_test');
  const commit = (batch: Partial<LedgerBatch>) => commitBatch(db, batch);
  const [payer, other] = [await createOwner(database, 'standard'), await createOwner(database, 'internal')];
  await adjustBalance(db, { accountId: payer.accountId, amountNanoUsd: USD, reason: 't', actorUserId: null });
  const hold = (wantNanoUsd: bigint, startedAtMs: number) =>
    holdRequest(payer, {
      pricePpm: PPM,
      startedAtMs,
      wantNanoUsd,
      inputCostNanoUsd: 0n,
      keyCapNanoUsd: 2n * USD,
      chargesBalance: true,
    });
  const holds = [hold(COST * 9n, PAST_MS), hold(COST * 9n, PAST_MS), hold(COST - 1n, PAST_MS)];
  const late = [hold(COST * 9n, Date.now()), hold(COST * 9n, Date.now()), hold(5_000n, Date.now())];
  await commit({ holds: [...holds, ...late] });
  const bill = { ...USAGE, costNanoUsd: COST };
  await commit({ settlements: holds.map((each) => getSettlement(each, bill)) });
  await postUsage(db, { before: new Date() });
  const priced = { ...bill, priceId: 1, pricePpm: PPM };
  await commit({
    settlements: [
      ...late.slice(0, 2).map((each) => getSettlement(each, bill)),
      requestRecord(other, {
        ...priced,
        startedAtMs: PAST_MS,
        errorCode: 'client_gone',
        rawUsage: RAW_USAGE,
      }),
      requestRecord(other, { status: 429, errorCode: 'rate_limit_requests', costNanoUsd: 0n }),
    ],
  });
  return { payer, other };
}

export async function createOwner({ db }: TestDatabase, planId: string): Promise<RecordOwner> {
  const { accountId } = await createAccountFixture(db, { planId });
  return { accountId, keyId: (await createKeyFixture(db, accountId, { maxBudgetUsd: '2' })).key.id };
}

/** Decodes reports like `RAW_USAGE`. The reader that bills is in a package above: the command line is tested with it. */
export function decodeRawUsage({ rawUsage }: StoredReport): TokenUsage | null {
  const [, input, output] = /^\{"input_tokens":(\d+),"output_tokens":(\d+)\}$/.exec(rawUsage) ?? [];
  if (input === undefined || output === undefined) return null;
  return { ...NO_USAGE, inputTokens: Number(input), outputTokens: Number(output) };
}
