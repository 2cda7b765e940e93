import { ProviderConcurrency, type ProviderPlace } from '../provider-concurrency.ts';
import type { PlaceCall, PlaceReply, TakeCall } from './place-calls.ts';

/** A place of a process, or its wait for one. */
interface Entry {
  readonly call: TakeCall;
  readonly process: ProcessPlaces;
  /** null: it waits. */
  place: ProviderPlace | null;
  /** Gets the place when its process has given it up. */
  next: Entry | null;
}

/** The places of one process. */
interface ProcessPlaces {
  readonly entries: Map<number, Entry>;
  readonly send: (replies: PlaceReply[]) => void;
  due: PlaceReply[];
}

/** The end of one process at the coordinator. */
export interface PlaceConnection {
  receive(calls: readonly PlaceCall[]): void;
  /** The process has ended, and so have its calls to providers. Later messages of it have no effect. */
  close(): void;
}

/**
 * Decides about the places at providers for several processes on one machine, with the same counts that a single process has.
 * A call that needs an offered place waits until the process of that place has ended its call.
 */
export class PlaceCoordinator {
  readonly #concurrency = new ProviderConcurrency();
  /** Processes with replies that were not sent. */
  readonly #unsent = new Set<ProcessPlaces>();
  /** The place that the last decision has recalled. */
  #recalled: Entry | null = null;

  /** Starts to answer one process. */
  connect(send: (replies: PlaceReply[]) => void): PlaceConnection {
    const process: ProcessPlaces = { entries: new Map(), send, due: [] };
    let isOpen = true;
    return {
      receive: (calls) => {
        if (!isOpen) return;
        for (const call of calls) this.#answer(process, call);
        this.#flush();
      },
      close: () => {
        isOpen = false;
        // None of its waiting calls may get a place that it releases.
        const entries = [...process.entries.values()];
        process.entries.clear();
        for (const entry of entries) this.#release(entry);
        this.#flush();
      },
    };
  }

  /** Number of places in use. */
  getCount(providerId: string): number {
    return this.#concurrency.getCount(providerId);
  }

  #answer(process: ProcessPlaces, call: PlaceCall): void {
    if (call.call === 'take') {
      const entry: Entry = { call, process, place: null, next: null };
      process.entries.set(call.id, entry);
      return this.#decide(entry);
    }
    const entry = process.entries.get(call.id);
    if (entry === undefined) return;
    if (call.call === 'offer') entry.place?.offer(() => this.#recall(entry));
    else if (call.call === 'release') {
      process.entries.delete(call.id);
      this.#release(entry);
    }
  }

  #decide(entry: Entry): void {
    const { providerId, max, accountId, id } = entry.call;
    entry.place =
      accountId === null
        ? this.#concurrency.tryAcquireSpare(providerId, max)
        : this.#concurrency.tryAcquire(providerId, max, accountId);
    const recalled = this.#recalled;
    this.#recalled = null;
    if (entry.place !== null) return this.#reply(entry, 'granted');
    if (recalled !== null) {
      recalled.next = entry;
      return;
    }
    entry.process.entries.delete(id);
    this.#reply(entry, 'refused');
  }

  #recall(entry: Entry): void {
    this.#recalled = entry;
    this.#reply(entry, 'recalled');
  }

  #release(entry: Entry): void {
    entry.place?.release();
    const { next } = entry;
    entry.next = null;
    // Its request may have ended meanwhile.
    if (next !== null && next.process.entries.get(next.call.id) === next) this.#decide(next);
  }

  #reply({ process, call }: Entry, reply: PlaceReply['reply']): void {
    process.due.push({ id: call.id, reply });
    this.#unsent.add(process);
  }

  #flush(): void {
    for (const process of this.#unsent) {
      process.send(process.due);
      process.due = [];
    }
    this.#unsent.clear();
  }
}
