import type { Clock } from '@tollgate/core/runtime/clock';
import type { LimitTicket } from '../limit-store.ts';
import { MemoryLimitStore } from '../memory-store.ts';
import { processClock } from '../steady-clock.ts';
import type { LimitCall, LimitReply } from './calls.ts';

/** Tickets of one process that are remembered for their correction; beyond this the oldest are forgotten. */
const MAX_TICKETS = 200_000;

/**
 * Decides about the limits of several processes on one machine, with the same store that a single process has. What a process
 * that ended had reserved stays counted until it expires.
 */
export class LimitCoordinator {
  readonly #store: MemoryLimitStore;

  constructor(clock: Clock = processClock) {
    this.#store = new MemoryLimitStore(clock);
  }

  /** Starts to answer one process. @returns a function that answers calls in their order */
  connect(): (calls: readonly LimitCall[]) => LimitReply[] {
    const tickets = new Map<number, LimitTicket>();
    return (calls) => calls.flatMap((call) => this.#answer(call, tickets) ?? []);
  }

  #answer(call: LimitCall, tickets: Map<number, LimitTicket>): LimitReply | null {
    const { id } = call;
    switch (call.call) {
      case 'take': {
        const decision = this.#store.take(call.request);
        if (!decision.ok) return { id, decision };
        remember(tickets, id, decision.ticket);
        return { id, decision: { ok: true, state: decision.state } };
      }
      case 'peek':
        return { id, states: this.#store.peek(call.owners) };
      case 'settle':
      case 'cancel': {
        const ticket = tickets.get(id);
        tickets.delete(id);
        if (ticket === undefined) return null;
        if (call.call === 'cancel') this.#store.cancel(ticket);
        else this.#store.trueUp(ticket, call.tokens);
        return null;
      }
      default:
        // Of a process of another release.
        return null;
    }
  }
}

function remember(tickets: Map<number, LimitTicket>, id: number, ticket: LimitTicket): void {
  if (tickets.size >= MAX_TICKETS)
    for (const oldest of tickets.keys()) {
      tickets.delete(oldest);
      break;
    }
  tickets.set(id, ticket);
}
