import type { RequestRecord } from '@tollgate/core/ledger';
import { boundBilling, boundTokens } from './storable-usage.ts';
import { boundCost, boundCount, boundName, boundTime } from './storable-values.ts';

/** What PostgreSQL takes in no text. */
const NUL = '\0';

/** Names and counts come from callers and providers: whatever they say, the row can be stored. */
export function boundRecord<T extends Omit<RequestRecord, 'isHeld' | 'recovered'>>(record: T): T {
  const bounds = {
    model: boundName(record.model),
    upstreamModel: boundName(record.upstreamModel),
    ...boundTokens(record),
    ...boundBilling(record),
    costNanoUsd: boundCost(record.costNanoUsd),
    operatorCostNanoUsd: boundCost(record.operatorCostNanoUsd),
    latencyMs: boundCount(record.latencyMs),
    firstByteMs: boundTime(record.firstByteMs),
    queueMs: boundTime(record.queueMs),
    holdMs: boundTime(record.holdMs),
    connectMs: boundTime(record.connectMs),
  };
  return { ...record, ...bounds };
}

/** Of a record that was refused as it is: whose it is, when it was, how it ended, and what moves money. */
export function bareRecord(record: RequestRecord): RequestRecord {
  const { errorCode, priceId } = record;
  return boundRecord({
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
  });
}

/** What may be told of a record in a log: nothing that a caller wrote. */
export function describeRecord({ id, keyId, costNanoUsd }: RequestRecord): object {
  return { id, keyId, costNanoUsd: String(costNanoUsd) };
}
