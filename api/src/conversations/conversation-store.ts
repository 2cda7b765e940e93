/** Conversations that accounts store, in the database that all replicas share. */
import { Buffer } from 'node:buffer';
import type { Sealer } from '@tollgate/auth/seal';
import { openConversation, sealConversation } from '@tollgate/auth/seal-conversation';
import { createId } from '@tollgate/core/runtime/ids';
import type { Clock } from '@tollgate/core/runtime/clock';
import { CONVERSATION_LIMITS } from '@tollgate/core/requests/stored-responses';
import type { Database } from '@tollgate/db/client';
import {
  addPart,
  listParts,
  replacePart,
  type PartOwner,
  type SealedPart,
} from '@tollgate/db/queries/conversations/conversation-parts';
import {
  deleteConversation,
  findConversation,
  insertConversation,
  lockConversation,
  setMetadata,
  unlockConversation,
  type ConversationPlace,
} from '@tollgate/db/queries/conversations/conversations';
import { inTransaction, type Connection } from '@tollgate/db/transaction';
import { parseJsonObject } from '@tollgate/dialects/json/parse-object';
import type { StoredTotals } from '../stored/stored-totals.ts';
import type { Metadata } from './added-items.ts';

/** A process without a heartbeat for so long has no conversation any more. */
const SILENT_FOR_MS = 20_000;
/** Sealed metadata is not larger when decompressed: 16 entries of 576 characters, escaped. */
const MAX_METADATA_BYTES = 64 * 1024;
const METADATA = 'metadata';

export interface ConversationStoreOptions {
  /** Of stored responses. */
  db: Database;
  totals: StoredTotals;
  sealer: Sealer;
  clock: Clock;
  replicaId: string;
}

/** A conversation as its caller sees it (https://platform.openai.com/docs/api-reference/conversations/object). */
export interface ConversationView {
  id: string;
  object: 'conversation';
  created_at: number;
  metadata: Metadata;
}

/** Items that were added together. */
export interface ConversationPart {
  id: string;
  /** A JSON list, with null for each deleted item. */
  items: Buffer;
  sealed: SealedPart;
}

/** Items ready to be added. */
export interface SealedItems {
  id: string;
  sealed: Buffer;
  size: number;
}

export class ConversationStore {
  readonly #options: ConversationStoreOptions;

  constructor(options: ConversationStoreOptions) {
    this.#options = options;
  }

  /** @returns null if its account stores nothing any more, or has no room. @throws Error if the database does not respond */
  async create(
    accountId: string,
    metadata: Metadata,
    items: Buffer | null,
  ): Promise<ConversationView | null> {
    const { db, totals } = this.#options;
    if (!(await totals.hasRoom(accountId))) return null;
    const place = { accountId, id: createId('conv') };
    const now = this.#now;
    const sealedMetadata = await this.#sealMetadata(place, metadata);
    const part = items === null ? null : await this.seal(place, items);
    const isStored = await inTransaction(db, async (tx) => {
      if (!(await insertConversation(tx, { ...place, now, metadata: sealedMetadata }))) return false;
      return part === null || this.#add(tx, place, part, { silentForMs: SILENT_FOR_MS });
    });
    totals.add(accountId, { responses: 1, bytes: sealedMetadata.length + (part?.sealed.length ?? 0) });
    return isStored ? show(place.id, now, metadata) : null;
  }

  /** @returns null if the account has no such conversation. @throws Error if the database does not respond */
  async find(place: ConversationPlace): Promise<(ConversationView & { size: number }) | null> {
    const { db, sealer } = this.#options;
    const row = await findConversation(db, { ...place, now: this.#now });
    if (row === null) return null;
    const stored = { sealed: row.metadataSealed, size: MAX_METADATA_BYTES };
    const opened = await openConversation(sealer, stored, { ...place, part: METADATA });
    const metadata = (parseJsonObject(opened.toString('utf8')) ?? {}) as Metadata;
    return { ...show(place.id, row.createdAt, metadata), size: row.size };
  }

  /** @returns false if it was deleted */
  async setMetadata(place: ConversationPlace, metadata: Metadata): Promise<boolean> {
    const sealed = await this.#sealMetadata(place, metadata);
    return setMetadata(this.#options.db, { ...place, now: this.#now, metadata: sealed });
  }

  async delete(place: ConversationPlace): Promise<void> {
    await deleteConversation(this.#options.db, place);
    this.#options.totals.forget(place.accountId);
  }

  /** Reads all its items, not more than `find` says. */
  async readParts(place: ConversationPlace): Promise<ConversationPart[]> {
    const { db, sealer } = this.#options;
    const parts = await listParts(db, place);
    return Promise.all(
      parts.map(async (sealed) => ({
        id: sealed.id,
        items: await openConversation(sealer, sealed, { ...place, part: sealed.id }),
        sealed,
      })),
    );
  }

  /** Reserves it for one request until `unlock`. @returns false if another request has it */
  lock(place: ConversationPlace, requestId: string): Promise<boolean> {
    const { db, replicaId } = this.#options;
    return lockConversation(db, place, { requestId, replicaId, silentForMs: SILENT_FOR_MS });
  }

  unlock(place: ConversationPlace, requestId: string): Promise<void> {
    return unlockConversation(this.#options.db, place, requestId);
  }

  /** @param items a JSON list */
  async seal(place: ConversationPlace, items: Buffer): Promise<SealedItems> {
    const id = createId('part').replace(/^part_/, '');
    const sealed = await sealConversation(this.#options.sealer, items, { ...place, part: id });
    return { id, sealed, size: items.length };
  }

  /**
   * Adds items in the transaction that stores the response of a request which has the conversation.
   * @returns false if the conversation was deleted, or is full
   */
  addOf(tx: Connection, place: ConversationPlace, items: SealedItems, requestId: string): Promise<boolean> {
    return this.#add(tx, place, items, { requestId });
  }

  /** Adds items. @returns false if a request has the conversation, it is full, or it was deleted */
  async add(place: ConversationPlace, items: Buffer): Promise<SealedItems | null> {
    const { db, totals } = this.#options;
    const part = await this.seal(place, items);
    const isAdded = await this.#add(db, place, part, { silentForMs: SILENT_FOR_MS });
    if (isAdded) totals.add(place.accountId, { responses: 0, bytes: part.sealed.length });
    return isAdded ? part : null;
  }

  /** Replaces a part that lost an item. @returns false if it has changed, or a request has the conversation */
  async replace(
    place: ConversationPlace,
    { id, sealed: old }: ConversationPart,
    items: Buffer,
  ): Promise<boolean> {
    const { db, sealer } = this.#options;
    const sealed = await sealConversation(sealer, items, { ...place, part: id });
    const replacement = { sealed, size: items.length, silentForMs: SILENT_FOR_MS };
    return replacePart(db, { ...place, now: this.#now }, old, replacement);
  }

  #add(tx: Connection, place: ConversationPlace, part: SealedItems, owner: PartOwner): Promise<boolean> {
    const { maxParts } = CONVERSATION_LIMITS;
    return addPart(tx, { ...place, now: this.#now }, part, { owner, maxParts });
  }

  #sealMetadata(place: ConversationPlace, metadata: Metadata): Promise<Buffer> {
    const bytes = Buffer.from(JSON.stringify(metadata));
    return sealConversation(this.#options.sealer, bytes, { ...place, part: METADATA });
  }

  get #now(): Date {
    return new Date(this.#options.clock.nowMs());
  }
}

function show(id: string, createdAt: Date, metadata: Metadata): ConversationView {
  return { id, object: 'conversation', created_at: Math.floor(createdAt.getTime() / 1000), metadata };
}
