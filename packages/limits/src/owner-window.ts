import type { LimitState, WindowLimits, WindowState } from './limit-store.ts';
import { MomentQueue } from './moment-queue.ts';

/** Length of every window. */
export const WINDOW_MS = 60_000;

/**
 * One owner's window: exact requests and tokens of the last 60 seconds, and the debt of tokens without room
 * yet. While there is a debt, the window is full, because the debt takes the place of expired tokens. Keep in sync with
 * `redis/limits.lua`, which does the same on a server.
 *
 * Times are monotonic milliseconds. Call `advance` before any other method with `nowMs`.
 */
export class OwnerWindow {
  readonly #moments = new MomentQueue();
  #requests = 0;
  #tokens = 0;
  #debt = 0;
  #debtTpm: number | null = null;
  #lastRequestMs = 0;
  #lastTokensMs = 0;

  /** True if nothing is counted. */
  isUnusedAt(nowMs: number): boolean {
    if (this.#debt > 0) this.advance(nowMs, this.#debtTpm);
    if (this.#debt > 0) return false;
    const { head, tail } = this.#moments;
    return head === tail || this.#moments.timeAt(tail - 1) + WINDOW_MS <= nowMs;
  }

  /** Expires old moments and moves debt into their place. */
  advance(nowMs: number, tpm: number | null): void {
    const moments = this.#moments;
    if (tpm === null) this.#debt = 0;
    else if (this.#debt >= tpm) this.#passWholeWindows(nowMs, tpm);
    while (moments.head < moments.tail) {
      const leavesMs = moments.timeAt(moments.head) + WINDOW_MS;
      if (leavesMs > nowMs) break;
      this.#requests -= moments.requestsAt(moments.head);
      this.#tokens -= moments.tokensAt(moments.head);
      moments.dropFirst();
      const paid = this.#payable(tpm);
      if (paid > 0) {
        moments.replace(leavesMs, paid);
        this.#pay(paid, leavesMs);
      }
    }
    this.#payNow(nowMs, tpm);
  }

  /** True if there is room for one request with the given tokens. */
  hasRoom(limits: WindowLimits, tokens: number): boolean {
    if (limits.rpm !== null && this.#requests + 1 > limits.rpm) return false;
    return limits.tpm === null || (this.#debt === 0 && this.#tokens + tokens <= limits.tpm);
  }

  /** Counts a request even without room. Returns the position of its moment. */
  take(nowMs: number, limits: WindowLimits, tokens: number): number {
    const counted = limits.tpm === null ? 0 : tokens;
    const position = this.#moments.append(nowMs, 1, counted);
    this.#requests += 1;
    this.#tokens += counted;
    this.#lastRequestMs = this.#moments.timeAt(position);
    if (counted > 0) this.#lastTokensMs = this.#lastRequestMs;
    return position;
  }

  /** Counts usage reported by another store beyond the usage known here, at the current time. */
  learn(nowMs: number, said: LimitState): void {
    const requests = said.requests === null ? 0 : computeUsed(said.requests) - this.#requests;
    const tokens = said.tokens === null ? 0 : computeUsed(said.tokens) - this.#tokens;
    if (requests <= 0 && tokens <= 0) return;
    const position = this.#moments.append(nowMs, Math.max(0, requests), Math.max(0, tokens));
    this.#requests += Math.max(0, requests);
    this.#tokens += Math.max(0, tokens);
    if (requests > 0) this.#lastRequestMs = this.#moments.timeAt(position);
    if (tokens > 0) this.#lastTokensMs = this.#moments.timeAt(position);
  }

  /** Removes an amount at a position if it is still in the window. */
  giveBack(position: number, requests: number, tokens: number, nowMs: number, tpm: number | null): void {
    if (position < this.#moments.head) return;
    const counted = Math.min(tokens, this.#moments.tokensAt(position));
    this.#moments.add(position, -requests, -counted);
    this.#requests -= requests;
    this.#tokens -= counted;
    this.#payNow(nowMs, tpm);
  }

  /** Counts unreserved tokens as soon as there is room. */
  owe(tokens: number, nowMs: number, tpm: number | null): void {
    if (tpm === null) return;
    this.#debt += tokens;
    this.#debtTpm = tpm;
    this.#payNow(nowMs, tpm);
  }

  /** Milliseconds until there is room for one more request; 0: now. */
  msUntilRequest(nowMs: number, rpm: number | null): number {
    if (rpm === null) return 0;
    let requests = this.#requests;
    for (let at = this.#moments.head; requests + 1 > rpm && at < this.#moments.tail; at++) {
      requests -= this.#moments.requestsAt(at);
      if (requests + 1 <= rpm) return this.#moments.timeAt(at) + WINDOW_MS - nowMs;
    }
    return 0;
  }

  /** Milliseconds until there is room for the given tokens, at most `tpm`; 0: now. */
  msUntilTokens(nowMs: number, tpm: number | null, wanted: number): number {
    if (tpm === null || (this.#debt === 0 && this.#tokens + wanted <= tpm)) return 0;
    const moments = this.#moments;
    /** Future amounts from the debt: times without whole windows, and amounts. */
    const paidMs: number[] = [];
    const paidTokens: number[] = [];
    let tokens = this.#tokens;
    let debt = this.#debt;
    let passedMs = 0;
    for (let index = 0; ; index++) {
      if (tokens === tpm && debt > tpm) {
        const whole = Math.floor((debt - 1) / tpm);
        passedMs += whole * WINDOW_MS;
        debt -= whole * tpm;
      }
      const at = moments.head + index;
      const isOld = at < moments.tail;
      const paidAt = at - moments.tail;
      if (!isOld && paidAt >= paidMs.length) return 0;
      const leavesMs = (isOld ? moments.timeAt(at) : (paidMs[paidAt] ?? 0)) + WINDOW_MS;
      tokens -= isOld ? moments.tokensAt(at) : (paidTokens[paidAt] ?? 0);
      const paid = Math.min(debt, tpm - tokens);
      if (paid > 0) {
        paidMs.push(leavesMs);
        paidTokens.push(paid);
        tokens += paid;
        debt -= paid;
      }
      if (debt === 0 && tokens + wanted <= tpm) return leavesMs + passedMs - nowMs;
    }
  }

  stateAt(nowMs: number, limits: WindowLimits): LimitState {
    return {
      requests: windowState(
        limits.rpm,
        this.#requests,
        this.#requests === 0 ? 0 : this.#lastRequestMs + WINDOW_MS - nowMs,
      ),
      tokens: windowState(limits.tpm, this.#tokens, this.#tokensResetMs(nowMs, limits.tpm)),
    };
  }

  /** Releases unused memory. */
  shrink(): void {
    this.#moments.shrink();
  }

  #tokensResetMs(nowMs: number, tpm: number | null): number {
    if (tpm !== null && this.#debt > 0) return this.msUntilTokens(nowMs, tpm, tpm);
    return this.#tokens === 0 ? 0 : this.#lastTokensMs + WINDOW_MS - nowMs;
  }

  #payable(tpm: number | null): number {
    return tpm === null || this.#debt === 0 ? 0 : Math.min(this.#debt, tpm - this.#tokens);
  }

  #payNow(nowMs: number, tpm: number | null): void {
    const paid = this.#payable(tpm);
    if (paid > 0) this.#pay(paid, this.#moments.timeAt(this.#moments.append(nowMs, 0, paid)));
  }

  #pay(tokens: number, timeMs: number): void {
    this.#tokens += tokens;
    this.#debt -= tokens;
    this.#lastTokensMs = Math.max(timeMs, this.#lastTokensMs);
  }

  /** A debt of whole windows repeats the current window, so many windows pass in one step. */
  #passWholeWindows(nowMs: number, tpm: number): void {
    const moments = this.#moments;
    if (this.#tokens !== tpm) return;
    const end = moments.tail;
    const passed = Math.min(
      Math.floor(this.#debt / tpm),
      Math.floor((nowMs - moments.timeAt(end - 1)) / WINDOW_MS),
    );
    if (passed < 1) return;
    for (let at = moments.head; at < end; at++) {
      const timeMs = moments.timeAt(at) + passed * WINDOW_MS;
      const tokens = moments.tokensAt(at);
      moments.dropFirst();
      if (tokens === 0) continue;
      moments.replace(timeMs, tokens);
      this.#lastTokensMs = timeMs;
    }
    this.#requests = 0;
    this.#debt -= passed * tpm;
  }
}

function computeUsed({ limit, remaining }: WindowState): number {
  return limit - remaining;
}

function windowState(limit: number | null, used: number, resetMs: number): WindowState | null {
  return limit === null ? null : { limit, remaining: Math.max(0, limit - used), resetMs };
}
