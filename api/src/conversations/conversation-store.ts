/** Conversations that accounts store, in the database that all replicas share. */
import { Buffer } from 'node:buffer';
import type { Sealer } from '@tollgate/auth/seal';
import { openConversation, sealConversation } from '@tollgate/auth/seal-conversation';
import { createId } from '@tollgate/core/runtime/ids';
import type { Clock } from '@tollgate/core/runtime/clock';
import { BODY_LIMITS } from '@tollgate/core/requests/body-limits';
import { CONVERSATION_LIMITS } from '@tollgate/core/requests/stored-responses';
import type { Database } from '@tollgate/db/client';
import {
  addPart,
  replacePart,
  type AddOutcome,
  type PartOwner,
} from '@tollgate/db/queries/conversations/conversation-parts';
import {
  deleteConversation,
  findConversation,
  insertConversation,
  lockConversation,
  setMetadata,
  type ConversationPlace,
  type ConversationRow,
} from '@tollgate/db/queries/conversations/conversations';
import { listParts, type SealedPart } from '@tollgate/db/queries/conversations/list-parts';
import { inTransaction, type Connection } from '@tollgate/db/transaction';
import { parseJsonObject } from '@tollgate/dialects/json/parse-object';
import type { StoredTotals } from '../stored/stored-totals.ts';
import type { Metadata } from './added-items.ts';
import type { LeftLocks } from './left-locks.ts';

/** A process without a heartbeat for so long has no conversation any more. */
const SILENT_FOR_MS = 20_000;
/** Sealed metadata is not larger when decompressed: 16 entries of 576 characters, escaped. */
const MAX_METADATA_BYTES = 64 * 1024;
const METADATA = 'metadata';
/** Parts that are decrypted and decompressed at the same time: each of them takes some time of the event loop. */
const OPENED_AT_A_TIME = 32;
/** The ids that the gateway issues. The database refuses a text with NUL. */
const CONVERSATION_ID = /^conv_[0-9a-z]{1,64}$/;
/** Items are added while no request has the conversation, up to the size of a request body, as which it is sent. */
const UNOWNED = { silentForMs: SILENT_FOR_MS, maxSize: BODY_LIMITS.maxBytes };

export interface ConversationStoreOptions {
  /** Of stored responses. */
  db: Database;
  totals: StoredTotals;
  sealer: Sealer;
  clock: Clock;
  locks: LeftLocks;
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
      return part === null || (await this.#add(tx, place, part, UNOWNED)) === 'added';
    });
    if (!isStored) return null;
    totals.add(accountId, { responses: 1, bytes: sealedMetadata.length + (part?.sealed.length ?? 0) });
    return show(place.id, now, metadata);
  }

  /** @returns the size of its items, decompressed; null, or throws, as `find` does */
  async findSize(place: ConversationPlace): Promise<number | null> {
    return (await this.#findRow(place))?.size ?? null;
  }

  /**
   * @returns null if the account has no such conversation
   * @throws SealBroken if it cannot be decrypted, and another Error if the database does not respond
   */
  async find(place: ConversationPlace): Promise<(ConversationView & { size: number }) | null> {
    const { sealer } = this.#options;
    const row = await this.#findRow(place);
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
    const open = async (sealed: SealedPart) => ({
      id: sealed.id,
      items: await openConversation(sealer, sealed, { ...place, part: sealed.id }),
      sealed,
    });
    const opened: ConversationPart[] = [];
    for (let at = 0; at < parts.length; at += OPENED_AT_A_TIME)
      opened.push(...(await Promise.all(parts.slice(at, at + OPENED_AT_A_TIME).map(open))));
    return opened;
  }

  /** Reserves it for one request until `unlock`. @returns false if another request has it */
  async lock(place: ConversationPlace, requestId: string): Promise<boolean> {
    const { db, locks, replicaId } = this.#options;
    try {
      return await lockConversation(db, place, { requestId, replicaId, silentForMs: SILENT_FOR_MS });
    } catch (error) {
      // It may be locked: the connection may have been lost after that.
      locks.leave(place, requestId);
      throw error;
    }
  }

  /** Takes little time. Never rejects. */
  unlock(place: ConversationPlace, requestId: string): Promise<void> {
    return this.#options.locks.unlock(place, requestId);
  }

  /** @param items a JSON list */
  async seal(place: ConversationPlace, items: Buffer): Promise<SealedItems> {
    const id = createId('part').replace(/^part_/, '');
    const sealed = await sealConversation(this.#options.sealer, items, { ...place, part: id });
    return { id, sealed, size: items.length };
  }

  /**
   * Adds items in the transaction that stores the response of a request which has the conversation.
   * @returns anything but `added` if the conversation was deleted, is full, or another request has it by now
   */
  addOf(
    tx: Connection,
    place: ConversationPlace,
    items: SealedItems,
    requestId: string,
  ): Promise<AddOutcome> {
    return this.#add(tx, place, items, { requestId });
  }

  /** Adds items. @returns the id of their part, or why they were not added */
  async add(
    place: ConversationPlace,
    items: Buffer,
  ): Promise<{ outcome: 'added'; id: string } | { outcome: 'no_room' | Exclude<AddOutcome, 'added'> }> {
    const { db, totals } = this.#options;
    if (!(await totals.hasRoom(place.accountId))) return { outcome: 'no_room' };
    const part = await this.seal(place, items);
    const outcome = await this.#add(db, place, part, UNOWNED);
    if (outcome !== 'added') return { outcome };
    totals.add(place.accountId, { responses: 0, bytes: part.sealed.length });
    return { outcome, id: part.id };
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

  #findRow(place: ConversationPlace): Promise<ConversationRow | null> {
    if (!CONVERSATION_ID.test(place.id)) return Promise.resolve(null);
    return findConversation(this.#options.db, { ...place, now: this.#now });
  }

  #add(tx: Connection, place: ConversationPlace, part: SealedItems, owner: PartOwner): Promise<AddOutcome> {
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
