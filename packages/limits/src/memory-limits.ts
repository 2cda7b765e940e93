import type { Clock } from '@tollgate/core/clock';
import { SlidingWindow } from './sliding-window.ts';

/** The rates of one key; null: no limit. */
export interface RateLimits {
  /** Requests per minute. */
  rpm: number | null;
  /** Tokens per minute. */
  tpm: number | null;
}

/** Where a key stands in one of its windows. */
export interface WindowState {
  limit: number;
  remaining: number;
  /** Until the window is as empty as it gets by waiting, in milliseconds. */
  resetMs: number;
}

export interface LimitState {
  requests: WindowState | null;
  tokens: WindowState | null;
}

export type LimitDecision =
  | { ok: true; state: LimitState }
  | { ok: false; limit: 'requests' | 'tokens'; retryAfterMs: number; state: LimitState };

interface KeyWindows {
  requests: SlidingWindow;
  tokens: SlidingWindow;
}

const SWEEP_EVERY = 10_000;

/**
 * Sliding 60-second windows in the memory of one process. A request is refused where its key has used up what the
 * windows record; refused requests do not count. Tokens are recorded when they are known, at the end.
 */
export class MemoryLimits {
  readonly #clock: Clock;
  readonly #windows = new Map<string, KeyWindows>();
  #takesUntilSweep = SWEEP_EVERY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes one request out of the key's windows, or says when it may come again. */
  take(keyId: string, limits: RateLimits): LimitDecision {
    const nowMs = this.#clock.nowMs();
    const windows = this.#of(keyId, nowMs);
    if (limits.rpm !== null && windows.requests.sumAt(nowMs) >= limits.rpm) {
      const retryAfterMs = windows.requests.msUntilBelow(limits.rpm, nowMs);
      return { ok: false, limit: 'requests', retryAfterMs, state: stateOf(windows, limits, nowMs) };
    }
    if (limits.tpm !== null && windows.tokens.sumAt(nowMs) >= limits.tpm) {
      const retryAfterMs = windows.tokens.msUntilBelow(limits.tpm, nowMs);
      return { ok: false, limit: 'tokens', retryAfterMs, state: stateOf(windows, limits, nowMs) };
    }
    windows.requests.add(1, nowMs);
    return { ok: true, state: stateOf(windows, limits, nowMs) };
  }

  /** Records the tokens of a request that has ended. */
  recordTokens(keyId: string, tokens: number): void {
    const nowMs = this.#clock.nowMs();
    this.#of(keyId, nowMs).tokens.add(tokens, nowMs);
  }

  /** Where a key stands, without taking anything. */
  peek(keyId: string, limits: RateLimits): LimitState {
    const nowMs = this.#clock.nowMs();
    return stateOf(this.#windows.get(keyId) ?? emptyWindows(), limits, nowMs);
  }

  #of(keyId: string, nowMs: number): KeyWindows {
    this.#takesUntilSweep -= 1;
    if (this.#takesUntilSweep <= 0) this.#sweep(nowMs);
    let windows = this.#windows.get(keyId);
    if (windows === undefined) {
      windows = emptyWindows();
      this.#windows.set(keyId, windows);
    }
    return windows;
  }

  /** Forgets the keys that have not been used for a minute. */
  #sweep(nowMs: number): void {
    this.#takesUntilSweep = SWEEP_EVERY;
    for (const [keyId, windows] of this.#windows) {
      windows.requests.sumAt(nowMs);
      windows.tokens.sumAt(nowMs);
      if (windows.requests.isEmpty && windows.tokens.isEmpty) this.#windows.delete(keyId);
    }
  }
}

function emptyWindows(): KeyWindows {
  return { requests: new SlidingWindow(), tokens: new SlidingWindow() };
}

function stateOf(windows: KeyWindows, limits: RateLimits, nowMs: number): LimitState {
  const state = (window: SlidingWindow, limit: number | null): WindowState | null =>
    limit === null
      ? null
      : {
          limit,
          remaining: Math.max(0, limit - window.sumAt(nowMs)),
          resetMs: window.msUntilEmpty(nowMs),
        };
  return { requests: state(windows.requests, limits.rpm), tokens: state(windows.tokens, limits.tpm) };
}
