import type { NanoUsd, TokenUsage } from './money.ts';
import type { RateTerms, ServedTerms } from './rates/rate-need.ts';

/** Request for a hold on a key's budget and its account's balance, before the request is sent. */
export interface HoldRequest {
  /** ID of the request. A repeated hold with the same ID has no effect. */
  id: string;
  startedAtMs: number;
  accountId: string;
  keyId: string;
  endpoint: string;
  model: string;
  streamed: boolean;
  /** As in `RequestRecord`. Stored with the hold, because a settlement that changes an indexed column costs more. */
  session?: string | null | undefined;
  priceId: number;
  /** The plan's price multiplier, in parts per million. */
  pricePpm: number;
  /** Estimated input and its cost, billed if the outcome of the request stays unknown. */
  inputTokens: number;
  inputCostNanoUsd: NanoUsd;
  /** True: the account's balance pays; false: only the key's budget counts. */
  chargesBalance: boolean;
  /** null: the key has no budget. */
  keyCapNanoUsd: NanoUsd | null;
  /** Worst-case cost: held if enough is available. */
  wantNanoUsd: NanoUsd;
  /** Less than this is held only if no other hold competes. */
  softNanoUsd: NanoUsd;
  /** Minimum: with less available, the request is refused. */
  minNanoUsd: NanoUsd;
  /** Minimum of the key's budget, at least `minNanoUsd`: includes all turns of tools that the provider runs. */
  keyMinNanoUsd: NanoUsd;
}

/** Decision on a hold, from the committed state of the database. */
export type HoldVerdict =
  | { ok: true; grantedNanoUsd: NanoUsd }
  | {
      ok: false;
      /**
       * `budget_exceeded`, `insufficient_balance`: settled costs leave too little. `reserved`: only holds of in-flight
       * requests leave too little. `gone`: the key or its account was deleted.
       */
      reason: 'budget_exceeded' | 'insufficient_balance' | 'reserved' | 'gone';
      /** Amount left after settled costs, ignoring holds. */
      leftNanoUsd: NanoUsd;
    };

/** What the retry policy decided after a failed attempt. */
export const ATTEMPT_NEXTS = [
  'same_route',
  'other_credential',
  'other_route',
  'second_attempt',
  'fallback_model',
  'continuation',
  'local_answer',
  'none',
] as const;
export type AttemptNext = (typeof ATTEMPT_NEXTS)[number];

/** Why the retry policy tried nothing after a failed attempt. */
export const ATTEMPT_STOPS = [
  'request_refused',
  'same_everywhere',
  'gateway_limit',
  'response_begun',
  'caller_gone',
  'max_attempts',
  'routes_unavailable',
  'no_other_route',
] as const;
export type AttemptStop = (typeof ATTEMPT_STOPS)[number];

/** One attempt of a request at one provider. */
export interface AttemptRecord {
  /** Route ID. */
  route: string;
  provider: string;
  upstreamModel: string;
  /** `answered`, `continued` (it answered the rest of a broken response), or the failure: `timeout`, `cut`, `status_529`. */
  outcome: string;
  /** The provider's HTTP status; null: no response, or a failure after a successful status. */
  status: number | null;
  durationMs: number;
  /** Wait after the end of the previous attempt; absent: none, or a record of an earlier release. */
  waitMs?: number;
  /** The label of the provider's credential; absent: it has only one. Only operators read it. */
  credential?: string;
  /** The model of the route; absent in records of earlier releases. */
  model?: string;
  /** True: with a credential of the account. */
  own?: boolean;
  /** What the provider said about the operator's account, redacted; absent: nothing. Only operators read it. */
  message?: string;
  /** How the connection failed, or the text of an error page, redacted. Only operators read it. */
  detail?: string;
  /** The provider's error type or code, redacted; absent: it sent none. */
  errorType?: string;
  /** The provider's error message about the request or itself, redacted; absent: it sent none. */
  errorMessage?: string;
  /** The provider's ID of the request; absent: it sent none, or a record of an earlier release. */
  requestId?: string;
  /** What followed a failure; absent: the attempt did not fail, or a record of an earlier release. */
  next?: AttemptNext;
  /** Why nothing followed; absent: something did. */
  why?: AttemptStop;
}

/** A completed request of an authenticated key. Counts are integers from 0 to 2^31−1. */
export interface RequestRecord extends TokenUsage {
  id: string;
  startedAtMs: number;
  accountId: string;
  keyId: string;
  endpoint: string;
  model: string | null;
  provider: string | null;
  upstreamModel: string | null;
  /** The last route tried; null: none. */
  routeId: string | null;
  /** Attempts in order if there were several or one failed; null: the first attempt succeeded. */
  attempts: readonly AttemptRecord[] | null;
  streamed: boolean;
  status: number;
  errorCode: string | null;
  estimated: boolean;
  priceId: number | null;
  pricePpm: number;
  /** Billed cost; never more than the hold. */
  costNanoUsd: NanoUsd;
  /** Unbilled cost: what the operator may owe providers for failed attempts. */
  operatorCostNanoUsd: NanoUsd;
  latencyMs: number;
  /** Time to the first byte for the caller; null: no response. */
  firstByteMs: number | null;
  /** Time to admission, after checks of body, key, model and limits; null: not admitted. */
  queueMs: number | null;
  /** Time spent waiting only for the hold; null: no hold. */
  holdMs: number | null;
  /** Time to the connection to the last provider; null: unknown or no provider. */
  connectMs: number | null;
  /** True: it has a hold, or may have one whose commit is unconfirmed. */
  isHeld: boolean;
  /** True: the outcome is unknown. A later record with the outcome replaces this one. */
  recovered: boolean;
  /** The provider's usage object as JSON text, at most 8 KiB; null or absent: none. */
  rawUsage?: string | null | undefined;
  /** Cost reported by the provider; null or absent: not reported. */
  reportedCostNanoUsd?: NanoUsd | null | undefined;
  /** Terms reported by the provider, if they differ from the standard terms. */
  servedTerms?: ServedTerms | null | undefined;
  /** Terms used for billing; null or absent: standard terms. */
  billedTerms?: RateTerms | null | undefined;
  /** How the served request differs from the priced one, e.g. `model`, `service_tier`; null or absent: no difference. */
  priceMismatch?: string | null | undefined;
  /** Family and version of the client by its user agent, as `describeClient` returns it; null or absent: unknown. */
  client?: string | null | undefined;
  /** Its session, if its model has several routes, as `findSession` hashes it; null or absent: none. */
  sessionHash?: number | null | undefined;
  /** Why its first route was the first of several, as `RouteChoice`; null or absent: its model has one route. */
  routeChoice?: string | null | undefined;
  /** The model that the caller named, if a fallback model was tried last; null or absent: `model`. */
  requestedModel?: string | null | undefined;
  /** True: the provider billed the account itself, so that `pricePpm` is the fee of its plan; absent: false. */
  ownCredential?: boolean | undefined;
  /** The error message that the caller got, at most 500 characters; null or absent: none. */
  errorMessage?: string | null | undefined;
  /** The member of the request that the error named; null or absent: none. */
  errorParam?: string | null | undefined;
  /** The name that the caller gave to its session, as `toSessionName` returns it; null or absent: none. */
  session?: string | null | undefined;
  /** The provider's ID of the request, of the last response; null or absent: none. */
  providerRequestId?: string | null | undefined;
}

/** Totals of a key after a commit. */
export interface KeyTotals {
  keyId: string;
  spentNanoUsd: NanoUsd;
  heldNanoUsd: NanoUsd;
}

/** Balance of an account after a commit. */
export interface BalanceTotals {
  accountId: string;
  availableNanoUsd: NanoUsd;
  heldNanoUsd: NanoUsd;
}

/** Pending work for one transaction: settlements first, then holds. */
export interface LedgerBatch {
  replicaId: string;
  settlements: readonly RequestRecord[];
  holds: readonly HoldRequest[];
  /** True: an earlier, unconfirmed attempt may have committed the batch. */
  isRetry: boolean;
}

export interface LedgerCommit {
  /** In the order of the batch's holds. */
  verdicts: readonly HoldVerdict[];
  /** For every key and prepaid account of the batch. */
  keys: readonly KeyTotals[];
  balances: readonly BalanceTotals[];
}

/** Thrown if a batch was not committed, or its outcome is unknown. */
export class LedgerStoreError extends Error {
  /** `unavailable`: retry later, the outcome may be unknown. `rejected`: some value cannot be stored. */
  readonly kind: 'unavailable' | 'rejected';

  constructor(kind: 'unavailable' | 'rejected', cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'LedgerStoreError';
    this.kind = kind;
  }
}
