import type { Buffer } from 'node:buffer';
import type { EventStore } from '@tollgate/dialects/sse/event-store';
import { AnswerCollector } from './answer-collector.ts';
import type { RelayContext } from './relay.ts';

/** There is no memory for a large event of a stream. */
export class NoEventMemory extends Error {
  constructor() {
    super('No memory is left for an event of this size');
  }
}

/** Holds a large event in the memory for responses; nothing once its caller has disconnected. */
export class AnswerStore implements EventStore {
  readonly #exchange: RelayContext['exchange'];
  readonly #collector: AnswerCollector;

  constructor({ exchange, largeAnswers, key }: RelayContext) {
    this.#exchange = exchange;
    this.#collector = new AnswerCollector(() => largeAnswers.budget.open(key.accountId), 0);
  }

  /** @throws NoEventMemory */
  add(bytes: Buffer): void {
    if (this.#exchange.isDisconnected) this.release();
    else if (this.#collector.add(bytes) !== null) throw new NoEventMemory();
  }

  pieces(): Buffer[] {
    return this.#exchange.isDisconnected ? [] : this.#collector.pieces();
  }

  release(): void {
    this.#collector.takePieces();
    this.#collector.release();
  }
}
