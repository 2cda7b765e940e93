import type { StoredCode } from '@tollgate/core/errors/errors';
import { FULL_PRICE_PPM, NO_USAGE, type NanoUsd } from '@tollgate/core/money/money';
import { TYPICAL_TOKENS_PER_SECOND } from '@tollgate/core/models/typical-speed';
import { costOfTokens, splitAtHold } from '@tollgate/core/money/rates/compute-cost';
import type { RequestRecord } from '@tollgate/core/money/ledger';
import type postgres from 'postgres';

/** Recorded status of a request whose replica died. */
const LOST_STATUS = 499;
const LOST_CODE = 'replica_lost' satisfies StoredCode;

interface LostRow {
  id: string;
  startedAtMs: number;
  accountId: string;
  keyId: string;
  endpoint: string;
  model: string | null;
  streamed: boolean;
  inputTokens: number;
  priceId: bigint | null;
  pricePpm: number;
  costNanoUsd: bigint;
  heldNanoUsd: bigint;
  /** null: the price is not known. */
  outputNanoUsdPerMtok: bigint | null;
  /** From the start of the request to the replica's last heartbeat, in s; null: it sent none. */
  secondsToHeartbeat: number | null;
  ageMs: number;
}

/** The replica lives. */
export async function beatReplica(sql: postgres.Sql, replicaId: string): Promise<void> {
  await sql`INSERT INTO replicas (id) VALUES (${replicaId})
    ON CONFLICT (id) DO UPDATE SET heartbeat_at = clock_timestamp()`;
}

export async function removeReplica(sql: postgres.Sql, replicaId: string): Promise<void> {
  await sql`DELETE FROM replicas WHERE id = ${replicaId}`;
}

/**
 * Holds of stale replicas, as the settlements that end them: the likely input is billed. What the
 * provider wrote until the replica's last heartbeat is unbilled cost: the caller did not get it, or got an unknown part of it.
 * @param limit maximum number, the oldest first
 */
export async function listLostHolds(
  sql: postgres.Sql,
  silentForMs: number,
  limit: number,
): Promise<RequestRecord[]> {
  const rows = await sql<LostRow[]>`
    WITH lost AS MATERIALIZED (
      SELECT h.id, h.started_at, h.replica_id FROM held_requests h
      WHERE NOT EXISTS (
        SELECT 1 FROM replicas p
        WHERE p.id = h.replica_id AND p.heartbeat_at > now() - make_interval(secs => ${silentForMs / 1000}))
      ORDER BY h.started_at
      LIMIT ${limit}
    )
    SELECT r.id, (extract(epoch FROM r.started_at) * 1000)::float8 AS "startedAtMs", r.account_id AS "accountId",
      r.key_id AS "keyId", r.endpoint, r.model, r.streamed, r.input_tokens AS "inputTokens", r.price_id AS "priceId",
      r.price_ppm AS "pricePpm", r.cost_nano_usd AS "costNanoUsd",
      r.held_nano_usd AS "heldNanoUsd", price.output_nano_usd_per_mtok AS "outputNanoUsdPerMtok",
      extract(epoch FROM beat.heartbeat_at - r.started_at)::float8 AS "secondsToHeartbeat",
      (extract(epoch FROM now() - r.started_at) * 1000)::float8 AS "ageMs"
    FROM lost l CROSS JOIN LATERAL (
      -- OFFSET 0: each row is found by its key, and the planner never reads all requests.
      SELECT * FROM requests WHERE id = l.id AND started_at = l.started_at OFFSET 0
    ) AS r
    LEFT JOIN replicas beat ON beat.id = l.replica_id
    LEFT JOIN model_prices price ON price.id = r.price_id
    ORDER BY r.started_at`;
  return rows.map(toSettlement);
}

function toSettlement(row: LostRow): RequestRecord {
  const { heldNanoUsd, outputNanoUsdPerMtok, secondsToHeartbeat, ageMs, priceId, startedAtMs, ...known } =
    row;
  return {
    ...NO_USAGE,
    ...known,
    operatorCostNanoUsd: getUnbilledCost({
      heldNanoUsd,
      outputNanoUsdPerMtok,
      secondsToHeartbeat,
      costNanoUsd: row.costNanoUsd,
    }),
    startedAtMs: Math.round(startedAtMs),
    priceId: priceId === null ? null : Number(priceId),
    provider: null,
    upstreamModel: null,
    routeId: null,
    attempts: null,
    status: LOST_STATUS,
    errorCode: LOST_CODE,
    estimated: true,
    latencyMs: Math.max(0, Math.min(2_147_483_647, Math.round(ageMs))),
    firstByteMs: null,
    queueMs: null,
    holdMs: null,
    connectMs: null,
    isHeld: true,
    recovered: true,
  };
}

type LostOutput = Pick<
  LostRow,
  'heldNanoUsd' | 'costNanoUsd' | 'outputNanoUsdPerMtok' | 'secondsToHeartbeat'
>;

/** The cost of the output that the provider can have written, at most the rest of the hold. */
function getUnbilledCost(row: LostOutput): NanoUsd {
  const { secondsToHeartbeat, outputNanoUsdPerMtok, heldNanoUsd, costNanoUsd } = row;
  const tokens = Math.max(0, Math.ceil((secondsToHeartbeat ?? 0) * TYPICAL_TOKENS_PER_SECOND));
  const output = { tokens, rateNanoUsd: outputNanoUsdPerMtok ?? 0n };
  const cost = costOfTokens([output], FULL_PRICE_PPM);
  const rest = heldNanoUsd > costNanoUsd ? heldNanoUsd - costNanoUsd : 0n;
  return splitAtHold(cost, rest).billedNanoUsd;
}

/** Deletes stale replicas that hold nothing. @returns the ids of the live replicas */
export async function forgetReplicas(sql: postgres.Sql, silentForMs: number): Promise<string[]> {
  await sql`DELETE FROM replicas p
    WHERE p.heartbeat_at <= now() - make_interval(secs => ${silentForMs / 1000})
      AND NOT EXISTS (SELECT 1 FROM held_requests h WHERE h.replica_id = p.id)`;
  return listReplicas(sql, silentForMs);
}

/** Replicas with a newer heartbeat. */
export async function listReplicas(sql: postgres.Sql, silentForMs: number): Promise<string[]> {
  const living = await sql<{ id: string }[]>`
    SELECT id FROM replicas WHERE heartbeat_at > now() - make_interval(secs => ${silentForMs / 1000})`;
  return living.map(({ id }) => id);
}
