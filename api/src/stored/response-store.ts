/** Responses that accounts store, in the database that all replicas share. */
import type { Sealer } from '@tollgate/auth/seal';
import { openStored, sealStored } from '@tollgate/auth/seal-response';
import type { Clock } from '@tollgate/core/runtime/clock';
import type { Database } from '@tollgate/db/client';
import {
  deleteResponse,
  findResponsePart,
  findResponseFacts,
  insertResponse,
  type ResponseFacts,
} from '@tollgate/db/queries/responses/stored-responses';
import { inTransaction } from '@tollgate/db/transaction';
import type { ConversationTurn } from '../conversations/conversation-turn.ts';
import type { BodyReservation } from '../request-body/body-budget.ts';
import { within } from '../within.ts';
import type { StoredTotals } from './stored-totals.ts';

/** How long a caller waits for its response to be stored, in ms. */
export const STORE_MS = 5_000;
/** The ids that the gateway issues. The database refuses a text with NUL. */
const RESPONSE_ID = /^resp_[0-9a-z]{1,64}$/;

/** A response to be stored. */
export interface ResponseToStore {
  accountId: string;
  id: string;
  startedAtMs: number;
  /** The response, as JSON. */
  response: Buffer;
  /** Sealed: a JSON list of items, with what the request continued. */
  input: Promise<Buffer>;
  /** The size of the input, in bytes. */
  inputSize: number;
  /** What is added to its conversation, a JSON list, besides what the request adds; null: nothing. */
  added: { turn: ConversationTurn; output: Buffer } | null;
  /** For the memory of all until they are written; released here. */
  reservation: BodyReservation;
}

export interface ResponseStoreOptions {
  /** Own connections: large rows must not keep other requests from checking their keys. */
  db: Database;
  totals: StoredTotals;
  sealer: Sealer;
  clock: Clock;
  log: { warn(fields: object, message: string): void };
}

export class ResponseStore {
  readonly #options: ResponseStoreOptions;
  readonly #db: Database;
  readonly #works = new Set<Promise<unknown>>();

  constructor(options: ResponseStoreOptions) {
    this.#options = options;
    this.#db = options.db;
  }

  /** Compresses and encrypts an input, off the event loop. */
  sealInput(accountId: string, id: string, input: Buffer): Promise<Buffer> {
    return sealStored(this.#options.sealer, input, { accountId, id, part: 'input' });
  }

  /**
   * Stores a response, so that every replica finds it afterwards. Never rejects.
   * @returns false if it is not stored: the account has turned storing off, has no room, or the database does not respond
   */
  insert(row: ResponseToStore): Promise<boolean> {
    // A late write continues, and still needs its memory.
    const inserting = this.#insert(row).finally(() => row.reservation.release());
    const writing = within(inserting, STORE_MS, 'the database does not respond').catch((error: unknown) => {
      this.#options.log.warn({ err: error, responseId: row.id }, 'a response could not be stored');
      return false;
    });
    this.track(writing);
    return writing;
  }

  /**
   * Finds how much memory a response needs, before it is read.
   * @returns null if the account has no such response. @throws Error if the database does not respond
   */
  async findFacts(accountId: string, id: string): Promise<ResponseFacts | null> {
    if (!RESPONSE_ID.test(id)) return null;
    const { clock } = this.#options;
    return findResponseFacts(this.#db, { accountId, id, now: new Date(clock.nowMs()) });
  }

  /** Reads one part of a response, not larger than `findFacts` says. @returns null, or throws, as `findFacts` does */
  async read(accountId: string, id: string, part: 'response' | 'input'): Promise<Buffer | null> {
    if (!RESPONSE_ID.test(id)) return null;
    const { sealer, clock } = this.#options;
    const found = await findResponsePart(this.#db, { accountId, id, part, now: new Date(clock.nowMs()) });
    return found && openStored(sealer, found, { accountId, id, part });
  }

  /** @returns what it was; null if the account has no such response */
  async delete(accountId: string, id: string): Promise<ResponseFacts | null> {
    // One whose retention is over does not exist for its callers, even before it is deleted.
    const facts = await this.findFacts(accountId, id);
    if (!RESPONSE_ID.test(id)) return null;
    const isDeleted = await deleteResponse(this.#db, { accountId, id });
    this.#options.totals.forget(accountId);
    return isDeleted ? facts : null;
  }

  /** Takes work that `waitUntilStored` waits for. @param work never rejects, and has a time limit */
  track(work: Promise<unknown>): void {
    this.#works.add(work);
    void work.then(() => this.#works.delete(work));
  }

  /** Resolves once all work in progress has ended. */
  async waitUntilStored(): Promise<void> {
    await Promise.all(this.#works);
  }

  async #insert(given: ResponseToStore): Promise<boolean> {
    const { accountId, id, startedAtMs, response, inputSize, reservation, added } = given;
    const input = await given.input;
    const addedSize = added === null ? 0 : added.turn.ownItems.length + added.output.length;
    if (reservation.grow(response.length + input.length + addedSize) !== null) return false;
    const { sealer, totals } = this.#options;
    if (!(await totals.hasRoom(accountId))) return false;
    const place = { accountId, id };
    const sealed = await sealStored(sealer, response, { ...place, part: 'response' });
    const sizes = { responseSize: response.length, inputSize };
    const row = { ...place, ...sizes, createdAt: new Date(startedAtMs), response: sealed, input };
    const items = added && (await added.turn.seal(added.output));
    const isStored =
      added === null || items === null
        ? await insertResponse(this.#db, row)
        : await inTransaction(
            this.#db,
            async (tx) => (await insertResponse(tx, row)) && added.turn.addOrThrow(tx, items),
          );
    if (isStored) {
      added?.turn.noteAdded();
      const bytes = row.response.length + row.input.length + (items?.sealed.length ?? 0);
      totals.add(accountId, { responses: 1, bytes });
    }
    return isStored;
  }
}
