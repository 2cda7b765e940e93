import type { Limits } from '../create-limits.ts';
import type {
  LimitDecision,
  LimitOwners,
  LimitState,
  LimitTicket,
  OwnerStates,
  TakeRequest,
  WindowLimits,
  WindowState,
} from '../limit-store.ts';
import { wholeTokens } from '../whole-tokens.ts';
import type { LimitCall, LimitReply } from './calls.ts';

/** Maximum wait of a request for the coordinator. */
const DEADLINE_MS = 2_000;
const LOOK_MS = 250;

class CoordinatedTicket implements LimitTicket {
  readonly request: TakeRequest;
  readonly id: number;
  isOpen = true;

  constructor(request: TakeRequest, id: number) {
    this.request = request;
    this.id = id;
  }
}

interface Pending {
  askedAtMs: number;
  /** @param reply null: the coordinator did not answer in time */
  resolve: (reply: LimitReply | null) => void;
}

export interface CoordinatedOptions {
  /** Sends calls to the coordinator, which answers them in this order. */
  send: (calls: LimitCall[]) => void;
  deadlineMs?: number;
}

/**
 * Limits that another process decides. The calls of one turn of the event loop are one message. If the coordinator does not
 * answer, requests with limits are refused: a decision without it could exceed a limit.
 */
export class CoordinatedLimitStore implements Limits {
  readonly #send: (calls: LimitCall[]) => void;
  readonly #deadlineMs: number;
  /** In the order in which they were asked. */
  readonly #pending = new Map<number, Pending>();
  #due: LimitCall[] = [];
  #immediate: ReturnType<typeof setImmediate> | null = null;
  #timer: ReturnType<typeof setInterval> | null = null;
  #lastId = 0;
  #isAnswering = true;
  #isClosed = false;

  constructor({ send, deadlineMs = DEADLINE_MS }: CoordinatedOptions) {
    this.#send = send;
    this.#deadlineMs = deadlineMs;
  }

  async take(request: TakeRequest): Promise<LimitDecision> {
    const id = this.#nextId();
    const reply = await this.#ask({ id, call: 'take', request });
    if (reply === null || !('decision' in reply))
      return { ok: false, kind: 'unavailable', state: { key: NO_LIMITS, account: NO_LIMITS } };
    const { decision } = reply;
    return decision.ok ? { ...decision, ticket: new CoordinatedTicket(request, id) } : decision;
  }

  trueUp(ticket: LimitTicket, tokens: number): void {
    if (!(ticket instanceof CoordinatedTicket) || !ticket.isOpen) return;
    ticket.isOpen = false;
    this.#queue({ id: ticket.id, call: 'settle', tokens: wholeTokens(tokens) });
  }

  async peek(owners: LimitOwners): Promise<OwnerStates> {
    const reply = await this.#ask({ id: this.#nextId(), call: 'peek', owners });
    if (reply !== null && 'states' in reply) return reply.states;
    return { key: getUnused(owners.key), account: getUnused(owners.account) };
  }

  health(): 'memory' | 'unavailable' {
    return this.#isAnswering ? 'memory' : 'unavailable';
  }

  receive(replies: readonly LimitReply[]): void {
    this.#isAnswering = true;
    for (const reply of replies) {
      const pending = this.#pending.get(reply.id);
      this.#pending.delete(reply.id);
      if (pending !== undefined) pending.resolve(reply);
      else if ('decision' in reply && reply.decision.ok) this.#queue({ id: reply.id, call: 'cancel' });
    }
  }

  /** Sends what is due. Requests that wait are refused. */
  close(): Promise<void> {
    this.#flush();
    this.#isClosed = true;
    this.#expire(Infinity);
    this.#stopTimer();
    return Promise.resolve();
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #ask(call: LimitCall): Promise<LimitReply | null> {
    if (this.#isClosed) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.#pending.set(call.id, { askedAtMs: performance.now(), resolve });
      this.#timer ??= setInterval(() => this.#look(), LOOK_MS);
      this.#queue(call);
    });
  }

  #queue(call: LimitCall): void {
    if (this.#isClosed) return;
    this.#due.push(call);
    this.#immediate ??= setImmediate(() => this.#flush());
  }

  #flush(): void {
    if (this.#immediate !== null) clearImmediate(this.#immediate);
    this.#immediate = null;
    const calls = this.#due;
    if (calls.length === 0) return;
    this.#due = [];
    this.#send(calls);
  }

  #look(): void {
    if (this.#pending.size === 0) return this.#stopTimer();
    // Replies that arrived while this process was busy are read first.
    setImmediate(() => this.#expire(performance.now() - this.#deadlineMs));
  }

  #expire(askedBeforeMs: number): void {
    for (const [id, { askedAtMs, resolve }] of this.#pending) {
      if (askedAtMs > askedBeforeMs) return;
      this.#isAnswering = false;
      this.#pending.delete(id);
      resolve(null);
    }
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }
}

const NO_LIMITS = { requests: null, tokens: null };

function getUnused({ rpm, tpm }: WindowLimits): LimitState {
  const unused = (limit: number | null): WindowState | null =>
    limit === null ? null : { limit, remaining: limit, resetMs: 0 };
  return { requests: unused(rpm), tokens: unused(tpm) };
}
