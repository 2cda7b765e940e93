import type { Clock } from '@tollgate/core/runtime/clock';
import type {
  LimitDecision,
  LimitOwners,
  LimitStore,
  LimitTicket,
  OwnerStates,
  TakeRequest,
} from './limit-store.ts';
import type { MemoryLimitStore } from './memory-store.ts';
import { WINDOW_MS } from './owner-window.ts';
import type { RedisLink } from './redis/redis-link.ts';
import type { RedisLimitStore } from './redis/redis-store.ts';

/** A request counted in memory and, if Redis admitted it, in Redis. */
class SharedTicket implements LimitTicket {
  readonly request: TakeRequest;
  readonly own: LimitTicket;
  remote: LimitTicket | null;
  /** Tokens used, if the request ended before Redis responded. */
  spent: number | null = null;

  constructor(request: TakeRequest, own: LimitTicket, remote: LimitTicket | null) {
    this.request = request;
    this.own = own;
    this.remote = remote;
  }
}

/**
 * Uses Redis while it responds, otherwise memory. Memory also counts requests that Redis admitted here, and
 * reported usage of other processes, so that an outage does not open new windows. In the first minute after an outage, in which Redis may have lost data, both
 * must admit.
 */
export class SharedLimitStore implements LimitStore {
  readonly #memory: MemoryLimitStore;
  readonly #redis: RedisLimitStore;
  readonly #link: RedisLink;
  readonly #clock: Clock;
  readonly #deadlineMs: number;
  #bothUntilMs = -Infinity;

  /** @param parts `deadlineMs`: time without a response after which memory decides */
  constructor(parts: {
    memory: MemoryLimitStore;
    redis: RedisLimitStore;
    link: RedisLink;
    clock: Clock;
    deadlineMs: number;
  }) {
    this.#memory = parts.memory;
    this.#redis = parts.redis;
    this.#link = parts.link;
    this.#clock = parts.clock;
    this.#deadlineMs = parts.deadlineMs;
  }

  take(request: TakeRequest): LimitDecision | Promise<LimitDecision> {
    return this.#link.isFree ? this.#takeShared(request) : this.#memory.take(request);
  }

  trueUp(ticket: LimitTicket, tokens: number): void {
    if (!(ticket instanceof SharedTicket)) {
      this.#memory.trueUp(ticket, tokens);
      return;
    }
    if (ticket.spent !== null) return;
    ticket.spent = tokens;
    this.#memory.trueUp(ticket.own, tokens);
    if (ticket.remote !== null) this.#redis.trueUp(ticket.remote, tokens);
  }

  async peek(owners: LimitOwners): Promise<OwnerStates> {
    if (!this.#link.isFree) return this.#memory.peek(owners);
    return (await this.#inTime(this.#redis.peek(owners))) ?? this.#memory.peek(owners);
  }

  /** Redis is available: if memory decided meanwhile, both decide for the length of a window. */
  noteReturn(): void {
    if (this.#memory.owners > 0) this.#bothUntilMs = this.#clock.nowMs() + WINDOW_MS;
  }

  close(): Promise<void> {
    this.#link.close();
    return Promise.resolve();
  }

  health(): 'redis' | 'degraded' {
    return this.#link.isUp ? 'redis' : 'degraded';
  }

  async #takeShared(request: TakeRequest): Promise<LimitDecision> {
    const isBoth = this.#clock.nowMs() < this.#bothUntilMs;
    // Counted before the Redis call, so that it expires in memory no later than in Redis.
    const first: LimitDecision | null = isBoth ? this.#memory.take(request) : null;
    if (first !== null && !first.ok) return first;
    const own = first?.ticket ?? this.#memory.record(request);
    const asked = this.#redis.take(request);
    const decision = await this.#inTime(asked);
    if (decision === null) return this.#decideAlone({ request, own, first, asked });
    if (decision.ok) {
      this.#memory.learn(request, decision.state);
      return { ...decision, ticket: new SharedTicket(request, own, decision.ticket) };
    }
    this.#memory.cancel(own);
    this.#memory.learn(request, decision.state);
    return decision;
  }

  /** Decides by memory. If Redis responds later, the request is settled there too. */
  #decideAlone(left: {
    request: TakeRequest;
    own: LimitTicket;
    first: LimitDecision | null;
    asked: Promise<LimitDecision>;
  }): LimitDecision {
    let decision = left.first;
    if (decision === null) {
      this.#memory.cancel(left.own);
      decision = this.#memory.take(left.request);
    }
    const ticket = decision.ok ? new SharedTicket(left.request, decision.ticket, null) : null;
    void this.#settleLate(left.asked, ticket);
    return decision.ok && ticket !== null ? { ...decision, ticket } : decision;
  }

  /** @param ticket null: refused by memory */
  async #settleLate(asked: Promise<LimitDecision>, ticket: SharedTicket | null): Promise<void> {
    const late = await asked.catch(() => null);
    if (late === null || !late.ok) return;
    if (ticket === null) this.#redis.cancel(late.ticket);
    else if (ticket.spent === null) ticket.remote = late.ticket;
    else this.#redis.trueUp(late.ticket, ticket.spent);
  }

  /** Returns the Redis reply; null on failure or timeout. */
  #inTime<T>(asked: Promise<T>): Promise<T | null> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        // A reply that arrived while this process was busy takes precedence.
        setImmediate(() => {
          if (isAnswered) return;
          this.#link.markDown(`no answer within ${this.#deadlineMs} ms`);
          resolve(null);
        });
      }, this.#deadlineMs);
      let isAnswered = false;
      const answer = (value: T | null) => {
        isAnswered = true;
        clearTimeout(timer);
        resolve(value);
      };
      asked.then(answer, () => {
        answer(null);
      });
    });
  }
}
