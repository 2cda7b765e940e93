import type { RequestRecord } from '@tollgate/core/ledger';
import type { NanoUsd } from '@tollgate/core/money';

const MAX_COUNT = 2_147_483_647;
/** A thousand million dollars: sums of many stay within 64 bits. */
const MAX_COST: NanoUsd = 1_000_000_000_000_000_000n;
/** No model has a longer name; what callers ask for may be of any length. */
const MAX_NAME_LENGTH = 200;
/** What PostgreSQL takes in no text. */
const NUL = '\0';

/** Names and counts come from callers and providers: whatever they say, the row can be stored. */
export function boundRecord<T extends Omit<RequestRecord, 'isHeld' | 'recovered'>>(record: T): T {
  const bounds = {
    model: boundName(record.model),
    upstreamModel: boundName(record.upstreamModel),
    inputTokens: boundCount(record.inputTokens),
    cacheReadTokens: boundCount(record.cacheReadTokens),
    cacheWriteTokens: boundCount(record.cacheWriteTokens),
    cacheWrite1hTokens: boundCount(record.cacheWrite1hTokens),
    outputTokens: boundCount(record.outputTokens),
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

function boundCount(count: number): number {
  if (!(count > 0)) return 0;
  return count >= MAX_COUNT ? MAX_COUNT : Math.ceil(count);
}

function boundTime(timeMs: number | null): number | null {
  return timeMs === null ? null : boundCount(timeMs);
}

function boundCost(cost: NanoUsd): NanoUsd {
  if (cost < 0n) return 0n;
  return cost > MAX_COST ? MAX_COST : cost;
}

function boundName(name: string | null): string | null {
  if (name === null) return null;
  const short = name.length > MAX_NAME_LENGTH ? name.slice(0, MAX_NAME_LENGTH) : name;
  return short.includes(NUL) ? short.replaceAll(NUL, '') : short;
}
