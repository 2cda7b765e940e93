import { and, eq, sql } from 'drizzle-orm';
import { accounts } from '../../schema/accounts.ts';
import { apiKeys } from '../../schema/api-keys.ts';
import { plans } from '../../schema/plans.ts';
import type { Connection } from '../../transaction.ts';

/** Per minute; null: no limit. */
export interface MinuteLimits {
  rpm: number | null;
  tpm: number | null;
}

/** Limits per minute of one key, and of all keys of its account together. */
export interface KeyLimits {
  key: MinuteLimits;
  plan: MinuteLimits & { id: string };
}

/** @returns null if the account has no such key */
export async function findKeyLimits(
  db: Connection,
  wanted: { accountId: string; keyId: string },
): Promise<KeyLimits | null> {
  const [row] = await db.drizzle
    .select({
      key: { rpm: apiKeys.rpm, tpm: apiKeys.tpm },
      plan: { id: plans.id, rpm: plans.rpm, tpm: plans.tpm },
    })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .innerJoin(plans, eq(plans.id, accounts.planId))
    .where(and(eq(apiKeys.accountId, wanted.accountId), eq(apiKeys.id, wanted.keyId)));
  return row ?? null;
}

/** More requests of a minute are not counted: the page must stay quick for any key. */
const COUNTED = 2_000;

/** Recorded use of a key in the last 60 seconds. */
export interface LastMinute {
  /** Without requests that were refused or that no provider could answer. */
  requests: number;
  /** Of completed requests. */
  tokens: number;
  /** True: it was more than that. */
  isMore: boolean;
}

export async function readLastMinute(db: Connection, keyId: string): Promise<LastMinute> {
  const [row] = await db.drizzle.execute<LastMinute & Record<string, unknown>>(sql`
    SELECT count(*) FILTER (WHERE state = 'held' OR status < 400 OR status = 499)::int AS requests,
      coalesce(sum(tokens) FILTER (WHERE state = 'settled'), 0)::float8 AS tokens,
      count(*) > ${COUNTED} AS "isMore"
    FROM (
      SELECT state, status, input_tokens::bigint + cache_read_tokens + cache_write_tokens + cache_write_1h_tokens + output_tokens AS tokens
      FROM requests WHERE key_id = ${keyId} AND started_at > now() - interval '60 seconds'
      ORDER BY started_at DESC LIMIT ${COUNTED + 1}
    ) AS newest`);
  if (row === undefined) throw new Error('A count gives one row');
  return { requests: row.requests, tokens: row.tokens, isMore: row.isMore };
}
