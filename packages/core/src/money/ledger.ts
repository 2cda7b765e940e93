import type { NanoUsd, TokenUsage } from './money.ts';
import type { RateTerms, ServedTerms } from './rates/rate-need.ts';

/** Asks for a part of a key's budget and of its account's balance before a request costs anything. */
export interface HoldRequest {
  /** The request's; asking again with the same id holds nothing twice. */
  id: string;
  startedAtMs: number;
  accountId: string;
  keyId: string;
  endpoint: string;
  model: string;
  streamed: boolean;
  priceId: number;
  /** The plan's price multiplier, in parts per million. */
  pricePpm: number;
  /** The likely input, and what it costs: what is billed if nobody ever hears how the request ended. */
  inputTokens: number;
  inputCostNanoUsd: NanoUsd;
  /** True: the account's balance pays; false: only the key's budget counts. */
  chargesBalance: boolean;
  /** null: the key has no budget. */
  keyCapNanoUsd: NanoUsd | null;
  /** The worst case: so much is held where there is room. */
  wantNanoUsd: NanoUsd;
  /** Less than this is held only where no other hold stands in the way. */
  softNanoUsd: NanoUsd;
  /** Less than this is of no use: the request is refused. */
  minNanoUsd: NanoUsd;
}

/** How a hold was decided, by the committed state of the database. */
export type HoldVerdict =
  | { ok: true; grantedNanoUsd: NanoUsd }
  | {
      ok: false;
      /**
       * `budget_exceeded`, `insufficient_balance`: what is settled leaves too little. `reserved`: only the holds of requests
       * under way stand in the way. `gone`: the key or its account is no more.
       */
      reason: 'budget_exceeded' | 'insufficient_balance' | 'reserved' | 'gone';
      /** What is left beside what is settled (holds not counted). */
      leftNanoUsd: NanoUsd;
    };

/** One try of a request at one provider. */
export interface AttemptRecord {
  /** The route's id. */
  route: string;
  provider: string;
  upstreamModel: string;
  /** `answered`, or why not: `timeout`, `cut`, `status_529`. */
  outcome: string;
  /** The provider's HTTP status; null: there was none, or it was fine and what followed was not. */
  status: number | null;
  durationMs: number;
}

/** One request of an authenticated key, when it is over. Counts are whole, from 0 to 2^31−1. */
export interface RequestRecord extends TokenUsage {
  id: string;
  startedAtMs: number;
  accountId: string;
  keyId: string;
  endpoint: string;
  model: string | null;
  provider: string | null;
  upstreamModel: string | null;
  /** The route that was asked last; null: none was. */
  routeId: string | null;
  /** In order, where it took more than one or failed; null: the first one asked gave the answer. */
  attempts: readonly AttemptRecord[] | null;
  streamed: boolean;
  status: number;
  errorCode: string | null;
  estimated: boolean;
  priceId: number | null;
  pricePpm: number;
  /** What is billed; of a request with a hold never more than that. */
  costNanoUsd: NanoUsd;
  /** What the operator may owe providers for this request beyond what is billed: failed attempts. */
  operatorCostNanoUsd: NanoUsd;
  latencyMs: number;
  /** Until the caller could be given the first byte of an answer; null: there was none. */
  firstByteMs: number | null;
  /** Until it was admitted: its body, its key, its model and its limits were looked at; null: it was not. */
  queueMs: number | null;
  /** How long it waited for its hold and nothing else; null: it had none. */
  holdMs: number | null;
  /** Until the connection to the provider that was asked last was there; null: nobody knows, or none was. */
  connectMs: number | null;
  /** True: it has a hold, or may have one whose commit was never heard of. */
  isHeld: boolean;
  /** True: nobody heard how it ended. What is told later by who knows replaces it. */
  recovered: boolean;
  /** The provider's own usage object as JSON text, at most 8 KiB; null or absent: there was none. */
  rawUsage?: string | null | undefined;
  /** What the provider says the request cost; null or absent: it does not say. */
  reportedCostNanoUsd?: NanoUsd | null | undefined;
  /** What the provider says it used, where that differs from the plain terms. */
  servedTerms?: ServedTerms | null | undefined;
  /** The terms that it is billed by; null or absent: the plain ones. */
  billedTerms?: RateTerms | null | undefined;
  /** Why what was served is not what was priced, e.g. `model`, `service_tier`; null or absent: it is. */
  priceMismatch?: string | null | undefined;
}

/** Where a key stands, as of a commit. */
export interface KeyTotals {
  keyId: string;
  spentNanoUsd: NanoUsd;
  heldNanoUsd: NanoUsd;
}

/** Where an account's balance stands, as of a commit. */
export interface BalanceTotals {
  accountId: string;
  availableNanoUsd: NanoUsd;
  heldNanoUsd: NanoUsd;
}

/** Everything that waits, in one transaction: first what is settled, then what is asked for. */
export interface LedgerBatch {
  replicaId: string;
  settlements: readonly RequestRecord[];
  holds: readonly HoldRequest[];
  /** True: the batch may have been committed before, without anybody hearing of it. */
  isRetry: boolean;
}

export interface LedgerCommit {
  /** In the order of the batch's holds. */
  verdicts: readonly HoldVerdict[];
  /** Of every key and prepaid account of the batch. */
  keys: readonly KeyTotals[];
  balances: readonly BalanceTotals[];
}

/** Why a batch was not committed, or not known to be. */
export class LedgerStoreError extends Error {
  /** `unavailable`: try again later; the commit's outcome may be unknown. `rejected`: something in it cannot be stored. */
  readonly kind: 'unavailable' | 'rejected';

  constructor(kind: 'unavailable' | 'rejected', cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'LedgerStoreError';
    this.kind = kind;
  }
}
