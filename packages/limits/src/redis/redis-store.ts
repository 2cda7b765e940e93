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
import { parseReply, type ScriptReply } from './parse-reply.ts';
import type { RedisLink } from './redis-link.ts';

/** A request counted in Redis, with its positions in both windows. */
class RedisTicket implements LimitTicket {
  readonly request: TakeRequest;
  readonly keyAt: number;
  readonly accountAt: number;
  isOpen = true;

  constructor(request: TakeRequest, reply: ScriptReply) {
    this.request = request;
    this.keyAt = reply.keyAt;
    this.accountAt = reply.accountAt;
  }
}

/**
 * Limits in Redis, shared by any number of processes. One script call checks and updates all windows of a request by
 * the server's clock. Unlike other stores, this one rejects if Redis fails, and has no timeout.
 */
export class RedisLimitStore {
  readonly #link: RedisLink;
  readonly #nowMs: (() => number) | null;

  /** @param nowMs clock for tests; null: the server's clock */
  constructor(link: RedisLink, nowMs: (() => number) | null = null) {
    this.#link = link;
    this.#nowMs = nowMs;
  }

  /** @throws if Redis does not respond; it may still have counted the request */
  async take(request: TakeRequest): Promise<LimitDecision> {
    const tokens = wholeTokens(request.tokens);
    const reply = parseReply(await this.#run('take', request, [tokens]));
    const state = getStates(request, reply);
    if (reply.outcome === 'taken') return { ok: true, state, ticket: new RedisTicket(request, reply) };
    const { owner, limit, waitMs } = reply;
    if (reply.outcome === 'never') return { ok: false, kind: 'never', owner, limit, state };
    return { ok: false, kind: 'retry', retryAfterMs: waitMs, owner, limit, state };
  }

  /** @throws if Redis does not respond */
  async peek(owners: LimitOwners): Promise<OwnerStates> {
    return getStates(owners, parseReply(await this.#run('peek', owners, [])));
  }

  /** Corrects the reservation if Redis is available; otherwise it stays until it expires. */
  trueUp(ticket: LimitTicket, tokens: number): void {
    this.#settle(ticket, 0, wholeTokens(tokens));
  }

  /** Undoes a request, because another store refused it. */
  cancel(ticket: LimitTicket): void {
    this.#settle(ticket, 1, 0);
  }

  #settle(ticket: LimitTicket, requestsBack: number, tokens: number): void {
    if (!(ticket instanceof RedisTicket) || !ticket.isOpen) return;
    ticket.isOpen = false;
    const { request, keyAt, accountAt } = ticket;
    const over = tokens - wholeTokens(request.tokens);
    if (over === 0 && requestsBack === 0) return;
    const [back, owed] = over > 0 ? [0, over] : [-over, 0];
    // The link has recorded the failure.
    this.#run('settle', request, [keyAt, accountAt, requestsBack, back, owed]).catch(() => undefined);
  }

  #run(operation: 'take' | 'peek' | 'settle', owners: LimitOwners, amounts: number[]): Promise<unknown> {
    const { accountId, keyId, key, account } = owners;
    // The braces keep all windows of an account on one cluster node.
    const prefix = `tollgate:limits:{${accountId}}`;
    return this.#link.run(
      [`${prefix}:key:${keyId}`, `${prefix}:account`],
      [
        operation,
        text(this.#nowMs?.() ?? null),
        text(key.rpm),
        text(key.tpm),
        text(account.rpm),
        text(account.tpm),
        ...amounts.map(text),
      ],
    );
  }
}

function text(value: number | null): string {
  return value === null ? '' : String(value);
}

function getStates(owners: LimitOwners, reply: ScriptReply): OwnerStates {
  return { key: ownerState(owners.key, reply.key), account: ownerState(owners.account, reply.account) };
}

function ownerState(limits: WindowLimits, said: ScriptReply['key']): LimitState {
  const state = (limit: number | null, remaining: number, resetMs: number): WindowState | null =>
    limit === null ? null : { limit, remaining, resetMs };
  return {
    requests: state(limits.rpm, said.requests, said.requestsResetMs),
    tokens: state(limits.tpm, said.tokens, said.tokensResetMs),
  };
}
