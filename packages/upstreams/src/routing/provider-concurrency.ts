/** How long accounts are kept to half of a provider's places after another account was refused one. */
const CONTENTION_MS = 60_000;

/** A place at a provider that a call takes. */
export interface ProviderPlace {
  /** null: the place is certain. Else another process decides, and the call must wait. */
  readonly granted: Promise<boolean> | null;
  /** Releases the place; later calls have no effect. */
  release(): void;
  /**
   * No caller waits for the response: the caller has disconnected and it is read only for its usage, or it is a health check.
   * The place is released when a call needs it.
   * @param giveUp ends the call, and releases the place before it returns
   */
  offer(giveUp: () => void): void;
}

/**
 * Counts the in-flight calls at each provider. It never queues: a full provider's route is skipped. No
 * account can exclude the others: once two accounts have used a provider, each leaves one place free, and after a refusal
 * each has half of the places for a minute. Calls of disconnected callers yield to others.
 */
export class ProviderConcurrency {
  /** Providers with a limit that were called. */
  readonly #providers = new Map<string, LimitedProvider>();

  /**
   * Takes a place.
   * @param max null: no limit, and then nothing is counted
   * @returns null if the provider is full, or the account has its share of it
   */
  tryAcquire(providerId: string, max: number | null, accountId: string): ProviderPlace | null {
    if (max === null) return UNLIMITED_PLACE;
    let provider = this.#providers.get(providerId);
    if (provider === undefined) {
      provider = new LimitedProvider();
      this.#providers.set(providerId, provider);
    }
    return provider.tryAcquire(accountId, max);
  }

  /**
   * Takes a place for a call that must not wait for it.
   * @returns asked: another process decides, and a later call may take the place
   */
  tryAcquireGranted(
    providerId: string,
    max: number | null,
    accountId: string,
  ): ProviderPlace | 'asked' | null {
    return this.tryAcquire(providerId, max, accountId);
  }

  /** Takes a place for a call of no account, which changes no account's share. @returns null if the provider is full */
  tryAcquireSpare(providerId: string, max: number | null): ProviderPlace | null {
    if (max === null) return UNLIMITED_PLACE;
    let provider = this.#providers.get(providerId);
    if (provider === undefined) {
      provider = new LimitedProvider();
      this.#providers.set(providerId, provider);
    }
    return provider.tryAcquireSpare(max);
  }

  /** Number of in-flight calls of a limited provider. */
  getCount(providerId: string): number {
    return this.#providers.get(providerId)?.count ?? 0;
  }
}

/** Of calls that no account sends; no account has it as its id. */
const NO_ACCOUNT = '';

class LimitedProvider {
  count = 0;
  readonly #byAccount = new Map<string, number>();
  /** Places that yield, in the order in which they were offered. */
  readonly #offered = new Set<HeldPlace>();
  #firstAccountId: string | null = null;
  #isShared = false;
  /** When an account was last refused while others had places. */
  #contendedAtMs = -Infinity;

  tryAcquire(accountId: string, max: number): ProviderPlace | null {
    this.#firstAccountId ??= accountId;
    this.#isShared ||= accountId !== this.#firstAccountId;
    if (this.#getCount(accountId) >= this.#computeShare(max)) this.#takeBack(accountId);
    if (this.#getCount(accountId) >= this.#computeShare(max)) return null;
    const isYielding = this.count >= max && this.#takeBack(null);
    if (this.count >= max) {
      if (!isYielding && this.count > this.#getCount(accountId)) this.#contendedAtMs = performance.now();
      return null;
    }
    this.count += 1;
    this.#byAccount.set(accountId, this.#getCount(accountId) + 1);
    return new HeldPlace(this, accountId);
  }

  tryAcquireSpare(max: number): ProviderPlace | null {
    if (this.count >= max) return null;
    this.count += 1;
    return new HeldPlace(this, NO_ACCOUNT);
  }

  offer(place: HeldPlace): void {
    this.#offered.add(place);
  }

  withdraw(place: HeldPlace): void {
    this.#offered.delete(place);
  }

  release(place: HeldPlace): void {
    this.#offered.delete(place);
    this.count -= 1;
    if (place.accountId === NO_ACCOUNT) return;
    const left = this.#getCount(place.accountId) - 1;
    if (left > 0) this.#byAccount.set(place.accountId, left);
    else this.#byAccount.delete(place.accountId);
  }

  #getCount(accountId: string): number {
    return this.#byAccount.get(accountId) ?? 0;
  }

  /** Maximum number of places of one account, at least one. */
  #computeShare(max: number): number {
    if (!this.#isShared || max <= 1) return max;
    const isContended = performance.now() - this.#contendedAtMs < CONTENTION_MS;
    return isContended ? Math.ceil(max / 2) : max - 1;
  }

  /**
   * Ends the call that yields first: one of no account, else the first offered place of the account with the most places.
   * @param accountId null: of any account
   * @returns true if the call is in another process, which has not ended it yet
   */
  #takeBack(accountId: string | null): boolean {
    let found: HeldPlace | null = null;
    for (const place of this.#offered) {
      if (accountId !== null && place.accountId !== accountId) continue;
      if (place.accountId === NO_ACCOUNT) return place.giveUp();
      if (found === null || this.#getCount(place.accountId) > this.#getCount(found.accountId)) found = place;
    }
    return found?.giveUp() ?? false;
  }
}

class HeldPlace implements ProviderPlace {
  readonly granted = null;
  readonly accountId: string;
  readonly #provider: LimitedProvider;
  #isHeld = true;
  #giveUp: (() => void) | null = null;

  constructor(provider: LimitedProvider, accountId: string) {
    this.#provider = provider;
    this.accountId = accountId;
  }

  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#provider.release(this);
  }

  offer(giveUp: () => void): void {
    if (!this.#isHeld) return;
    this.#giveUp = giveUp;
    this.#provider.offer(this);
  }

  /** Ends the call, at most once. @returns true if it still has the place */
  giveUp(): boolean {
    this.#provider.withdraw(this);
    this.#giveUp?.();
    return this.#isHeld;
  }
}

/** Shared, so that a provider without a limit costs nothing. */
export const UNLIMITED_PLACE: ProviderPlace = {
  granted: null,
  release: () => undefined,
  offer: () => undefined,
};
