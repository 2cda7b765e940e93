import type { Clock } from '@tollgate/core/runtime/clock';
import type {
  LimitDecision,
  LimitOwners,
  LimitRefusal,
  LimitStore,
  LimitTicket,
  OwnerStates,
  TakeRequest,
  WindowLimits,
} from './limit-store.ts';
import { OwnerWindows } from './owner-windows.ts';
import { OwnerWindow } from './owner-window.ts';
import { SteadyClock } from './steady-clock.ts';
import { wholeTokens } from './whole-tokens.ts';

/** A request counted in this process; null: the owner has no limits. */
export class MemoryTicket implements LimitTicket {
  readonly request: TakeRequest;
  readonly key: OwnerWindow | null;
  readonly keyAt: number;
  readonly account: OwnerWindow | null;
  readonly accountAt: number;
  isOpen = true;

  constructor(request: TakeRequest, key: OwnerWindow | null, account: OwnerWindow | null, nowMs: number) {
    const tokens = wholeTokens(request.tokens);
    this.request = request;
    this.key = key;
    this.keyAt = key === null ? 0 : key.take(nowMs, request.key, tokens);
    this.account = account;
    this.accountAt = account === null ? 0 : account.take(nowMs, request.account, tokens);
  }
}

/** Limits in the memory of one process; exact if only one process admits requests. */
export class MemoryLimitStore implements LimitStore {
  readonly #clock: SteadyClock;
  readonly #keys: OwnerWindows;
  readonly #accounts: OwnerWindows;

  /** @param maxOwners maximum keys and maximum accounts; beyond it, the oldest is evicted */
  constructor(clock: Clock, { maxOwners = 1_000_000 } = {}) {
    this.#clock = new SteadyClock(clock);
    this.#keys = new OwnerWindows(maxOwners);
    this.#accounts = new OwnerWindows(maxOwners);
  }

  take(request: TakeRequest): LimitDecision {
    const nowMs = this.#clock.nowMs();
    const tokens = wholeTokens(request.tokens);
    const key = this.#keys.getWindow(request.keyId, request.key, nowMs);
    const account = this.#accounts.getWindow(request.accountId, request.account, nowMs);
    if (
      (key !== null && !key.hasRoom(request.key, tokens)) ||
      (account !== null && !account.hasRoom(request.account, tokens))
    )
      return refuse(request, { key, account, nowMs, tokens });
    const ticket = new MemoryTicket(request, key, account, nowMs);
    return { ok: true, state: getStates(request, key, account, nowMs), ticket };
  }

  /** Counts a request that another store admitted, even without room here. */
  record(request: TakeRequest): MemoryTicket {
    const nowMs = this.#clock.nowMs();
    const key = this.#keys.getWindow(request.keyId, request.key, nowMs);
    const account = this.#accounts.getWindow(request.accountId, request.account, nowMs);
    return new MemoryTicket(request, key, account, nowMs);
  }

  /** Counts usage of other processes, as reported by the shared store. */
  learn(owners: LimitOwners, said: OwnerStates): void {
    const nowMs = this.#clock.nowMs();
    this.#keys.getWindow(owners.keyId, owners.key, nowMs)?.learn(nowMs, said.key);
    this.#accounts.getWindow(owners.accountId, owners.account, nowMs)?.learn(nowMs, said.account);
  }

  /** Undoes a request, because another store refused it. */
  cancel(ticket: LimitTicket): void {
    this.#close(ticket, 1, 0);
  }

  trueUp(ticket: LimitTicket, tokens: number): void {
    this.#close(ticket, 0, wholeTokens(tokens));
  }

  peek(owners: LimitOwners): OwnerStates {
    const nowMs = this.#clock.nowMs();
    const key = this.#keys.find(owners.keyId, owners.key, nowMs) ?? UNUSED;
    const account = this.#accounts.find(owners.accountId, owners.account, nowMs) ?? UNUSED;
    return getStates(owners, key, account, nowMs);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Number of keys and accounts in memory. */
  get owners(): number {
    return this.#keys.size + this.#accounts.size;
  }

  #close(ticket: LimitTicket, requests: number, tokens: number): void {
    if (!(ticket instanceof MemoryTicket) || !ticket.isOpen) return;
    ticket.isOpen = false;
    const { request } = ticket;
    const over = tokens - wholeTokens(request.tokens);
    if (over === 0 && requests === 0) return;
    const nowMs = this.#clock.nowMs();
    if (over > 0) {
      this.#keys.getWindow(request.keyId, request.key, nowMs)?.owe(over, nowMs, request.key.tpm);
      this.#accounts
        .getWindow(request.accountId, request.account, nowMs)
        ?.owe(over, nowMs, request.account.tpm);
      return;
    }
    ticket.key?.advance(nowMs, request.key.tpm);
    ticket.key?.giveBack(ticket.keyAt, requests, -over, nowMs, request.key.tpm);
    ticket.account?.advance(nowMs, request.account.tpm);
    ticket.account?.giveBack(ticket.accountAt, requests, -over, nowMs, request.account.tpm);
  }
}

interface Asked {
  key: OwnerWindow | null;
  account: OwnerWindow | null;
  nowMs: number;
  tokens: number;
}

/** Finds the window with the longest wait. */
function refuse(request: TakeRequest, asked: Asked): LimitDecision {
  const { key, account, nowMs, tokens } = asked;
  const state = getStates(request, key, account, nowMs);
  const exceeds = (limits: WindowLimits) => limits.tpm !== null && tokens > limits.tpm;
  if (exceeds(request.key)) return { ok: false, kind: 'never', owner: 'key', limit: 'tokens', state };
  if (exceeds(request.account)) return { ok: false, kind: 'never', owner: 'account', limit: 'tokens', state };
  let refusal: LimitRefusal = { owner: 'key', limit: 'requests', state };
  let retryAfterMs = 0;
  const consider = (waitMs: number, owner: 'key' | 'account', limit: 'requests' | 'tokens') => {
    if (waitMs <= retryAfterMs) return;
    retryAfterMs = waitMs;
    refusal = { owner, limit, state };
  };
  consider(key?.msUntilRequest(nowMs, request.key.rpm) ?? 0, 'key', 'requests');
  consider(key?.msUntilTokens(nowMs, request.key.tpm, tokens) ?? 0, 'key', 'tokens');
  consider(account?.msUntilRequest(nowMs, request.account.rpm) ?? 0, 'account', 'requests');
  consider(account?.msUntilTokens(nowMs, request.account.tpm, tokens) ?? 0, 'account', 'tokens');
  return { ok: false, kind: 'retry', retryAfterMs: Math.max(1, retryAfterMs), ...refusal };
}

function getStates(
  owners: LimitOwners,
  key: OwnerWindow | null,
  account: OwnerWindow | null,
  nowMs: number,
): OwnerStates {
  return {
    key: key?.stateAt(nowMs, owners.key) ?? NO_LIMITS,
    account: account?.stateAt(nowMs, owners.account) ?? NO_LIMITS,
  };
}

const NO_LIMITS = { requests: null, tokens: null };
/** Window of an unknown owner; never modified. */
const UNUSED = new OwnerWindow();
