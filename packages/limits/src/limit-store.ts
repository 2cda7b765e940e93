/** The limits of one owner, a key or an account; null: no limit. Whole numbers, at least 1. */
export interface WindowLimits {
  /** Requests in any 60 seconds. */
  rpm: number | null;
  /** Tokens in any 60 seconds. */
  tpm: number | null;
}

/** Owners of the windows of a request. The account ID also keeps its windows on one cluster node. */
export interface LimitOwners {
  accountId: string;
  keyId: string;
  /** The key's own limits. */
  key: WindowLimits;
  /** The plan's limits for all keys of the account. */
  account: WindowLimits;
}

/** A request at admission. Must not change while its ticket is in use. */
export interface TakeRequest extends LimitOwners {
  /** Reserved tokens: estimated input plus expected output. */
  tokens: number;
}

/** State of one window of an owner. */
export interface WindowState {
  limit: number;
  remaining: number;
  /** Milliseconds until the window is fully available. */
  resetMs: number;
}

/** null: no such limit. */
export interface LimitState {
  requests: WindowState | null;
  tokens: WindowState | null;
}

export interface OwnerStates {
  key: LimitState;
  account: LimitState;
}

/** Handle of an admitted request, for settling at its end. Opaque to callers. */
export interface LimitTicket {
  readonly request: TakeRequest;
}

/** The exceeded window with the longest wait. */
export interface LimitRefusal {
  owner: 'key' | 'account';
  limit: 'requests' | 'tokens';
  state: OwnerStates;
}

export type LimitDecision =
  | { ok: true; state: OwnerStates; ticket: LimitTicket }
  /** `retryAfterMs`: earliest time at which the same request is admitted without other requests. */
  | ({ ok: false; kind: 'retry'; retryAfterMs: number } & LimitRefusal)
  /** The request alone exceeds the tokens per minute; waiting does not help. */
  | ({ ok: false; kind: 'never' } & LimitRefusal)
  /** Nothing can decide at the moment. */
  | { ok: false; kind: 'unavailable'; state: OwnerStates };

/**
 * Sliding windows of 60 seconds for keys and accounts.
 *
 * A request counts in all its windows or in none; a refused one counts in none. Tokens are reserved at
 * admission and corrected at the end. Unused tokens are returned at the time of the reservation;
 * missing tokens become a debt, which is counted as soon as the windows have room. So no 60
 * seconds contain more requests or corrected tokens than the limit.
 */
export interface LimitStore {
  /** Admits a request. Synchronous for the memory store. Never rejects. */
  take(request: TakeRequest): LimitDecision | Promise<LimitDecision>;
  /** Settles a request with its total tokens; 0: none used. Only the first call counts. */
  trueUp(ticket: LimitTicket, tokens: number): void;
  /** Reads the state of the owners without changes. Never rejects. */
  peek(owners: LimitOwners): OwnerStates | Promise<OwnerStates>;
  /** Closes connections of the store. */
  close(): Promise<void>;
}
