/** The limits of one owner, a key or an account; null: no limit. Whole numbers, at least 1. */
export interface WindowLimits {
  /** Requests in any 60 seconds. */
  rpm: number | null;
  /** Tokens in any 60 seconds. */
  tpm: number | null;
}

/** Whose windows a request counts in. The account's id is also what keeps its windows on one node of a cluster. */
export interface LimitOwners {
  accountId: string;
  keyId: string;
  /** The key's own limits. */
  key: WindowLimits;
  /** The plan's limits, over all keys of the account. */
  account: WindowLimits;
}

/** A request at admission. It must not be changed as long as its ticket is in use. */
export interface TakeRequest extends LimitOwners {
  /** What is reserved: the estimate of the input and the expected output. */
  tokens: number;
}

/** Where an owner stands in one of its windows. */
export interface WindowState {
  limit: number;
  remaining: number;
  /** Until the window is as empty as waiting makes it, in milliseconds. */
  resetMs: number;
}

/** null: this owner has no such limit. */
export interface LimitState {
  requests: WindowState | null;
  tokens: WindowState | null;
}

export interface OwnerStates {
  key: LimitState;
  account: LimitState;
}

/** What an admitted request gives back at its end. Its content belongs to the store that made it. */
export interface LimitTicket {
  readonly request: TakeRequest;
}

/** Which window stands in the way: of those that do, the one that does so for longest. */
export interface LimitRefusal {
  owner: 'key' | 'account';
  limit: 'requests' | 'tokens';
  state: OwnerStates;
}

export type LimitDecision =
  | { ok: true; state: OwnerStates; ticket: LimitTicket }
  /** `retryAfterMs`: the earliest time at which the same request passes if nothing else happens. */
  | ({ ok: false; kind: 'retry'; retryAfterMs: number } & LimitRefusal)
  /** The request alone is more than the tokens of a minute: no waiting helps. */
  | ({ ok: false; kind: 'never' } & LimitRefusal);

/**
 * Sliding windows of 60 seconds for keys and accounts.
 *
 * A request is taken out of all its windows or out of none, and a refused one counts in none. Tokens are reserved when
 * a request is taken and trued up when it has ended: what was too much is given back at the moment of the reservation,
 * what was too little becomes a debt, which fills the windows at the first moments that have room for it. So no 60
 * seconds ever hold more requests or more trued-up tokens than the limit.
 */
export interface LimitStore {
  /** Takes a request out of its windows. Answers at once where the store is this process's memory. Never rejects. */
  take(request: TakeRequest): LimitDecision | Promise<LimitDecision>;
  /** The request has ended with so many tokens in all, 0 where nothing was used. Only the first call counts. */
  trueUp(ticket: LimitTicket, tokens: number): void;
  /** Where the owners stand, without taking anything. Never rejects. */
  peek(owners: LimitOwners): OwnerStates | Promise<OwnerStates>;
  /** Ends what the store has open. */
  close(): Promise<void>;
}
