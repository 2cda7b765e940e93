import type { RequestRecord } from '@tollgate/core/money/ledger';
import { boundRawUsage } from '@tollgate/core/money/rates/raw-usage';
import { boundBilledTerms, boundExtras, boundServedTerms } from './storable-usage.ts';
import { boundName } from '@tollgate/core/requests/storable-name';
import { boundCost, boundCount, boundTime } from './storable-values.ts';

/** What PostgreSQL takes in no text. */
const NUL = '\0';

/** A record without what only the ledger knows. */
export type UnheldRecord = Omit<RequestRecord, 'isHeld' | 'recovered'>;

/** With every member, also those that may be absent: one that is forgotten here would be stored nowhere. */
type WholeRecord = { [Member in keyof Required<RequestRecord>]: RequestRecord[Member] };

/**
 * Names and counts come from callers and providers: whatever they say, the row can be stored. Every request has a record,
 * so its members are written one by one: spreading them takes several times as long.
 */
export function boundRecord(
  record: UnheldRecord,
  { isHeld, recovered }: Pick<RequestRecord, 'isHeld' | 'recovered'>,
): WholeRecord {
  const { extras, rawUsage, reportedCostNanoUsd, servedTerms, billedTerms, priceMismatch } = record;
  return {
    id: record.id,
    startedAtMs: record.startedAtMs,
    accountId: record.accountId,
    keyId: record.keyId,
    endpoint: record.endpoint,
    model: boundName(record.model),
    provider: record.provider,
    upstreamModel: boundName(record.upstreamModel),
    routeId: record.routeId,
    attempts: record.attempts,
    streamed: record.streamed,
    status: record.status,
    errorCode: record.errorCode,
    inputTokens: boundCount(record.inputTokens),
    cacheReadTokens: boundCount(record.cacheReadTokens),
    cacheWriteTokens: boundCount(record.cacheWriteTokens),
    cacheWrite1hTokens: boundCount(record.cacheWrite1hTokens),
    outputTokens: boundCount(record.outputTokens),
    extras: extras === undefined ? undefined : boundExtras(extras),
    estimated: record.estimated,
    priceId: record.priceId,
    pricePpm: record.pricePpm,
    costNanoUsd: boundCost(record.costNanoUsd),
    operatorCostNanoUsd: boundCost(record.operatorCostNanoUsd),
    latencyMs: boundCount(record.latencyMs),
    firstByteMs: boundTime(record.firstByteMs),
    queueMs: boundTime(record.queueMs),
    holdMs: boundTime(record.holdMs),
    connectMs: boundTime(record.connectMs),
    isHeld,
    recovered,
    rawUsage: typeof rawUsage === 'string' ? boundRawUsage(rawUsage) : rawUsage,
    reportedCostNanoUsd:
      typeof reportedCostNanoUsd === 'bigint' ? boundCost(reportedCostNanoUsd) : reportedCostNanoUsd,
    servedTerms: boundServedTerms(servedTerms ?? null),
    billedTerms: boundBilledTerms(billedTerms ?? null),
    priceMismatch: boundName(priceMismatch ?? null),
  };
}

/** Of a record that was refused as it is: whose it is, when it was, how it ended, and what moves money. */
export function bareRecord(record: RequestRecord): RequestRecord {
  const { errorCode, priceId } = record;
  const bare = {
    ...record,
    endpoint: record.endpoint.replaceAll(NUL, ''),
    model: null,
    provider: null,
    upstreamModel: null,
    routeId: null,
    attempts: null,
    extras: undefined,
    rawUsage: null,
    servedTerms: null,
    billedTerms: null,
    priceMismatch: null,
    status: boundCount(record.status),
    errorCode: errorCode === null ? null : errorCode.replaceAll(NUL, ''),
    priceId: Number.isSafeInteger(priceId) ? priceId : null,
    pricePpm: boundCount(record.pricePpm),
  };
  return boundRecord(bare, record);
}

/** What may be told of a record in a log: nothing that a caller wrote. */
export function describeRecord({ id, keyId, costNanoUsd }: RequestRecord): object {
  return { id, keyId, costNanoUsd: String(costNanoUsd) };
}
