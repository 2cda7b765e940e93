import type { RequestRecord } from '@tollgate/core/money/ledger';
import { NO_USAGE } from '@tollgate/core/money/money';
import { computeCost } from '@tollgate/core/money/rates/compute-cost';
import { openDatabase, type Database } from '@tollgate/db/client';
import { openEmbedded } from '@tollgate/db/embedded/embedded';
import { putModel } from '@tollgate/db/queries/models/models';
import { commitBatch } from '@tollgate/testing/commit-batch';
import { createKeyFixture } from '@tollgate/testing/factories';
import { requestRecord } from '@tollgate/testing/ledger-records';
import type { Installation } from './installation.ts';

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
const PRICES = {
  inputNanoUsdPerMtok: 3_000_000_000n,
  outputNanoUsdPerMtok: 15_000_000_000n,
  cacheReadNanoUsdPerMtok: 300_000_000n,
  cacheWriteNanoUsdPerMtok: null,
  cacheWrite1hNanoUsdPerMtok: null,
};
const MODEL = 'sonnet-of-the-log';
/** The newest requests belong to it. */
export const SESSION = 'refactor-the-parser';
const SESSION_REQUESTS = 12;

export interface SeededLog {
  /** Needed two attempts and read from the cache. */
  retriedId: string;
  refusedId: string;
  secret: string;
  keyName: string;
}

/** Several hundred recent requests of two keys, with every status. */
export async function seedRequests(installation: Installation, accountId: string): Promise<SeededLog> {
  const { url } = await openEmbedded(installation.dataDir);
  const db = openDatabase(url, { maxConnections: 1 });
  try {
    return await fill(db, accountId);
  } finally {
    await db.close();
  }
}

async function fill(db: Database, accountId: string): Promise<SeededLog> {
  const { key, secret } = await createKeyFixture(db, accountId, { name: 'production-api' });
  const { key: other } = await createKeyFixture(db, accountId, { name: 'ci-evals' });
  await putModel(db, { id: MODEL, facts: {}, prices: PRICES, now: new Date(Date.now() - 60 * DAY_MS) });
  const [price] = await db.sql<{ id: number }[]>`SELECT id::int FROM model_prices WHERE model_id = ${MODEL}`;
  const nowMs = Date.now();
  const records = Array.from({ length: 240 }, (_, index) => {
    const owner = { accountId, keyId: index % 3 === 0 ? other.id : key.id };
    const startedAtMs = nowMs - (index + 1) * 37 * SECOND_MS - (index > 200 ? 10 * DAY_MS : 0);
    return requestRecord(owner, { ...ordinary(index, price?.id ?? null), startedAtMs, ...ENDINGS[index] });
  });
  await commitBatch(db, { settlements: records });
  return {
    retriedId: records[0]?.id ?? '',
    refusedId: records[2]?.id ?? '',
    secret,
    keyName: 'production-api',
  };
}

function ordinary(index: number, priceId: number | null): Partial<RequestRecord> {
  const usage = {
    ...NO_USAGE,
    inputTokens: 218 + ((index * 97) % 900),
    outputTokens: 40 + ((index * 53) % 400),
  };
  const firstByteMs = 180 + ((index * 61) % 500);
  return {
    ...usage,
    ...(index < SESSION_REQUESTS && { session: SESSION, client: 'claude-cli 2.1.332' }),
    endpoint: index % 2 === 0 ? '/v1/messages' : '/v1/chat/completions',
    model: MODEL,
    streamed: index % 2 === 0,
    priceId,
    costNanoUsd: computeCost(usage, PRICES),
    queueMs: 1 + (index % 3),
    firstByteMs,
    latencyMs: firstByteMs + 400 + ((index * 131) % 2_000),
  };
}

const NOTHING = {
  ...NO_USAGE,
  costNanoUsd: 0n,
  priceId: null,
  provider: null,
  firstByteMs: null,
  latencyMs: 3,
  queueMs: null,
};
const CACHED = { ...NO_USAGE, inputTokens: 218, cacheReadTokens: 1_900, outputTokens: 356 };
const TRIED = { route: 'route_1', provider: 'some-cloud', upstreamModel: 'm-1' };

/** Status of some requests, by index. */
const ENDINGS: Record<number, Partial<RequestRecord>> = {
  0: {
    ...CACHED,
    costNanoUsd: computeCost(CACHED, PRICES),
    rawUsage: '{"input_tokens":218,"cache_read_input_tokens":1900,"output_tokens":356}',
    connectMs: 31,
    firstByteMs: 640,
    latencyMs: 1_880,
    attempts: [
      {
        ...TRIED,
        outcome: 'status_529',
        status: 529,
        durationMs: 148,
        errorType: 'overloaded_error',
        errorMessage: 'Overloaded',
        next: 'other_route',
      },
      { ...TRIED, route: 'route_2', outcome: 'answered', status: 200, durationMs: 1_730 },
    ],
  },
  2: {
    ...NOTHING,
    status: 402,
    errorCode: 'budget_exceeded',
    errorMessage: 'The budget of this key is used up.',
  },
  3: { ...NOTHING, status: 429, errorCode: 'rate_limit_requests' },
  5: { errorCode: 'upstream_error', estimated: true },
  7: { ...NOTHING, status: 403, errorCode: 'model_not_allowed', model: 'gpt-of-others' },
  9: { status: 499, errorCode: 'client_gone', estimated: true },
};
