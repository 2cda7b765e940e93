import type { HoldRequest, RequestRecord } from '@tollgate/core/money/ledger';
import { requests } from '../../schema/requests.ts';

/** A column of `requests`, or an attribute that only the SQL type has. */
interface RecordColumn {
  readonly name: string;
  getSQLType(): string;
}

/**
 * The attributes of the SQL type `settlement` in their order: each member of a record, and the column that stores it. A
 * new member needs a column of `requests`, an attribute (`ALTER TYPE settlement ADD ATTRIBUTE`), and a place in
 * db/src/queries/ledger/write-settlement.ts, db/functions/settle_requests.sql and replace_estimates.sql.
 * `record-columns.test.ts` names what is missing.
 */
export const SETTLEMENT_COLUMNS: Readonly<Record<keyof RequestRecord, RecordColumn>> = {
  id: requests.id,
  startedAtMs: requests.startedAt,
  accountId: requests.accountId,
  keyId: requests.keyId,
  endpoint: requests.endpoint,
  model: requests.model,
  provider: requests.provider,
  upstreamModel: requests.upstreamModel,
  routeId: requests.routeId,
  attempts: requests.attempts,
  streamed: requests.streamed,
  status: requests.status,
  errorCode: requests.errorCode,
  inputTokens: requests.inputTokens,
  cacheReadTokens: requests.cacheReadTokens,
  cacheWriteTokens: requests.cacheWriteTokens,
  cacheWrite1hTokens: requests.cacheWrite1hTokens,
  outputTokens: requests.outputTokens,
  extras: requests.usageExtras,
  estimated: requests.estimated,
  priceId: requests.priceId,
  pricePpm: requests.pricePpm,
  costNanoUsd: requests.costNanoUsd,
  operatorCostNanoUsd: requests.operatorCostNanoUsd,
  latencyMs: requests.latencyMs,
  firstByteMs: requests.firstByteMs,
  queueMs: requests.queueMs,
  holdMs: requests.holdMs,
  connectMs: requests.connectMs,
  isHeld: attribute('is_held', 'boolean'),
  recovered: requests.recovered,
  rawUsage: requests.rawUsage,
  reportedCostNanoUsd: requests.reportedCostNanoUsd,
  servedTerms: requests.servedTerms,
  billedTerms: requests.billedTerms,
  priceMismatch: requests.priceMismatch,
  client: requests.client,
  sessionHash: requests.sessionHash,
  routeChoice: requests.routeChoice,
  requestedModel: requests.requestedModel,
  ownCredential: requests.ownCredential,
  errorMessage: requests.errorMessage,
  errorParam: requests.errorParam,
  session: requests.session,
  providerRequestId: requests.providerRequestId,
};

/** The attributes of the SQL type `hold` in their order; db/src/queries/ledger/write-hold.ts writes them. */
export const HOLD_COLUMNS: Readonly<Record<keyof HoldRequest, RecordColumn>> = {
  id: requests.id,
  startedAtMs: requests.startedAt,
  accountId: requests.accountId,
  keyId: requests.keyId,
  endpoint: requests.endpoint,
  model: requests.model,
  streamed: requests.streamed,
  priceId: requests.priceId,
  pricePpm: requests.pricePpm,
  inputTokens: requests.inputTokens,
  inputCostNanoUsd: attribute('input_cost_nano_usd', 'bigint'),
  chargesBalance: requests.chargesBalance,
  keyCapNanoUsd: attribute('key_cap_nano_usd', 'bigint'),
  wantNanoUsd: attribute('want_nano_usd', 'bigint'),
  softNanoUsd: attribute('soft_nano_usd', 'bigint'),
  minNanoUsd: attribute('min_nano_usd', 'bigint'),
  keyMinNanoUsd: attribute('key_min_nano_usd', 'bigint'),
  session: requests.session,
};

function attribute(name: string, type: string): RecordColumn {
  return { name, getSQLType: () => type };
}
