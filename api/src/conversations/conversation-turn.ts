import { Buffer } from 'node:buffer';
import type { Connection } from '@tollgate/db/transaction';
import { joinLists } from '../stored/item-lists.ts';
import type { ConversationStore, SealedItems } from './conversation-store.ts';

export interface TurnOptions {
  store: ConversationStore;
  accountId: string;
  conversationId: string;
  requestId: string;
}

/** The conversation cannot take the response. */
export class ConversationGone extends Error {}

/** A request that has a conversation for itself, until its response is added or it ends without one. */
export class ConversationTurn {
  readonly #options: TurnOptions;
  /** The items that the request adds, as a JSON list. */
  ownItems: Buffer = Buffer.from('[]');
  #isOver = false;

  constructor(options: TurnOptions) {
    this.#options = options;
  }

  get id(): string {
    return this.#options.conversationId;
  }

  /** Seals what the request and its response add. @param output a JSON list */
  seal(output: Buffer): Promise<SealedItems> {
    return this.#options.store.seal(this.#place, joinLists([this.ownItems, output]));
  }

  /** Adds it in the transaction that stores the response. @throws ConversationGone if it was deleted, or is full */
  async addOrThrow(tx: Connection, items: SealedItems): Promise<true> {
    const { store, requestId } = this.#options;
    if ((await store.addOf(tx, this.#place, items, requestId)) === 'added') return true;
    throw new ConversationGone('the conversation was deleted, or is full');
  }

  /** The response was added, which gave the conversation back. */
  noteAdded(): void {
    this.#isOver = true;
  }

  /** Gives the conversation back, in little time. Never rejects. */
  async release(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.#options.store.unlock(this.#place, this.#options.requestId);
  }

  get #place() {
    const { accountId, conversationId } = this.#options;
    return { accountId, id: conversationId };
  }
}
