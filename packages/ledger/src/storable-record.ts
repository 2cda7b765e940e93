import type { RequestRecord } from '@tollgate/core/money/ledger';
import { boundRawUsage } from '@tollgate/core/money/rates/raw-usage';
import { boundAttempts } from './storable-attempts.ts';
import { boundBilledTerms, boundExtras, boundServedTerms } from './storable-usage.ts';
import { toSessionName } from '@tollgate/core/requests/session-name';
import { boundError, boundName } from '@tollgate/core/requests/storable-name';
import { boundCost, boundCount, boundTime } from './storable-values.ts';

/** Characters that PostgreSQL text does not allow. */
const NUL = '\0';

/** A record without the members that the ledger sets. */
export type UnheldRecord = Omit<RequestRecord, 'isHeld' | 'recovered'>;

/** Requires optional members too, because a missing one would not be stored. */
type WholeRecord = { [Member in keyof Required<RequestRecord>]: RequestRecord[Member] };

/**
 * Makes a record storable, whatever names and counts callers and providers sent. Members are assigned one by one
 * because spreading takes several times as long, and every request has a record.
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
    attempts: boundAttempts(record.attempts),
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
    client: boundName(record.client ?? null),
    sessionHash: Number.isSafeInteger(record.sessionHash) ? record.sessionHash : null,
    routeChoice: boundName(record.routeChoice ?? null),
    requestedModel: boundName(record.requestedModel ?? null),
    ownCredential: record.ownCredential === true,
    errorMessage: typeof record.errorMessage === 'string' ? boundError(record.errorMessage) : null,
    errorParam: boundName(record.errorParam ?? null),
    session: toSessionName(record.session),
    providerRequestId: boundName(record.providerRequestId ?? null),
  };
}

/** Reduces a rejected record to its owner, times, outcome and amounts. */
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
    client: null,
    sessionHash: null,
    routeChoice: null,
    requestedModel: null,
    ownCredential: record.ownCredential === true,
    errorMessage: null,
    errorParam: null,
    session: null,
    providerRequestId: null,
    status: boundCount(record.status),
    errorCode: errorCode === null ? null : errorCode.replaceAll(NUL, ''),
    priceId: Number.isSafeInteger(priceId) ? priceId : null,
    pricePpm: boundCount(record.pricePpm),
  };
  return boundRecord(bare, record);
}

/** Log fields of a record, without any text from the caller. */
export function describeRecord({ id, keyId, costNanoUsd }: RequestRecord): object {
  return { id, keyId, costNanoUsd: String(costNanoUsd) };
}
