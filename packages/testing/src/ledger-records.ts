import { createId } from '@tollgate/core/runtime/ids';
import type { HoldRequest, RequestRecord } from '@tollgate/core/money/ledger';
import { NO_USAGE } from '@tollgate/core/money/money';

/** Owner of a record. */
export interface RecordOwner {
  accountId: string;
  keyId: string;
}

/** A successful request that cost 1,000 nano-dollars without a hold, by default. */
export function requestRecord(owner: RecordOwner, rest: Partial<RequestRecord> = {}): RequestRecord {
  return {
    ...NO_USAGE,
    id: createId('req'),
    startedAtMs: Date.now(),
    endpoint: '/v1/messages',
    model: 'm',
    provider: 'p',
    upstreamModel: 'm',
    routeId: null,
    attempts: null,
    streamed: false,
    status: 200,
    errorCode: null,
    inputTokens: 10,
    outputTokens: 5,
    estimated: false,
    priceId: null,
    pricePpm: 1_000_000,
    costNanoUsd: 1_000n,
    operatorCostNanoUsd: 0n,
    latencyMs: 12,
    firstByteMs: 8,
    queueMs: 1,
    holdMs: 0,
    connectMs: 0,
    isHeld: false,
    recovered: false,
    ...owner,
    ...rest,
  };
}

/** A request for a hold of `wantNanoUsd` (default: 1,000), all or nothing. */
export function holdRequest(owner: RecordOwner, rest: Partial<HoldRequest> = {}): HoldRequest {
  const wantNanoUsd = rest.wantNanoUsd ?? 1_000n;
  return {
    id: createId('req'),
    startedAtMs: Date.now(),
    endpoint: '/v1/messages',
    model: 'm',
    streamed: false,
    priceId: 1,
    pricePpm: 1_000_000,
    inputTokens: 10,
    inputCostNanoUsd: 100n,
    chargesBalance: false,
    keyCapNanoUsd: null,
    wantNanoUsd,
    softNanoUsd: wantNanoUsd,
    minNanoUsd: wantNanoUsd,
    keyMinNanoUsd: rest.minNanoUsd ?? wantNanoUsd,
    ...owner,
    ...rest,
  };
}

/** The settlement of a request with a hold. */
export function getSettlement(hold: HoldRequest, rest: Partial<RequestRecord> = {}): RequestRecord {
  const { id, startedAtMs, endpoint, model, streamed, priceId, pricePpm, accountId, keyId } = hold;
  const same = { id, startedAtMs, endpoint, model, streamed, priceId, pricePpm, isHeld: true };
  return requestRecord({ accountId, keyId }, { ...same, ...rest });
}

/** A settlement line of earlier releases: an object with names. */
export function encodeAsObject(record: RequestRecord): string {
  return JSON.stringify(record, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
