/** Responses that accounts store, in the database that all replicas share. */
import type { Sealer } from '@tollgate/auth/seal';
import { openStored, sealStored } from '@tollgate/auth/seal-response';
import { STORED_LIMITS } from '@tollgate/core/requests/stored-responses';
import type { Clock } from '@tollgate/core/runtime/clock';
import { openDatabase, type Database } from '@tollgate/db/client';
import {
  deleteResponse,
  findResponsePart,
  findResponseSizes,
  insertResponse,
  sumResponses,
  type ResponseSizes,
} from '@tollgate/db/queries/responses/stored-responses';
import { LRUCache } from 'lru-cache';
import type { BodyReservation } from '../request-body/body-budget.ts';
import { within } from '../within.ts';

/** How long a caller waits for its response to be stored, in ms. */
const STORE_MS = 5_000;
/** The totals of an account may be this old, so an account can exceed its limit by what it stores meanwhile. */
const TOTALS_MS = 10_000;
const MAX_TOTALS = 10_000;
const MAX_CONNECTIONS = 4;
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
  /** For the memory of both until they are written; released here. */
  reservation: BodyReservation;
}

export interface ResponseStoreOptions {
  databaseUrl: string;
  sealer: Sealer;
  clock: Clock;
  log: { warn(fields: object, message: string): void };
}

interface Totals {
  responses: number;
  bytes: number;
}

export class ResponseStore implements AsyncDisposable {
  readonly #options: ResponseStoreOptions;
  /** Own connections: large rows must not keep other requests from checking their keys. They open at the first use. */
  readonly #db: Database;
  readonly #works = new Set<Promise<unknown>>();
  readonly #totals = new LRUCache<string, Totals>({ max: MAX_TOTALS, ttl: TOTALS_MS });

  constructor(options: ResponseStoreOptions) {
    this.#options = options;
    this.#db = openDatabase(options.databaseUrl, {
      maxConnections: MAX_CONNECTIONS,
      applicationName: 'tollgate api responses',
    });
  }

  /** Compresses and encrypts an input, off the event loop. */
  sealInput(accountId: string, id: string, input: Buffer): Promise<Buffer> {
    return sealStored(this.#options.sealer, input, { accountId, id, part: 'input' });
  }

  /** True if the account may store another response. Unknown totals allow it: the database decides later. */
  async hasRoom(accountId: string): Promise<boolean> {
    const totals = this.#totals.get(accountId) ?? (await sumResponses(this.#db, accountId));
    this.#totals.set(accountId, totals, { noUpdateTTL: true });
    return totals.responses < STORED_LIMITS.maxResponses && totals.bytes < STORED_LIMITS.maxAccountBytes;
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
  async findSizes(accountId: string, id: string): Promise<ResponseSizes | null> {
    if (!RESPONSE_ID.test(id)) return null;
    const { clock } = this.#options;
    return findResponseSizes(this.#db, { accountId, id, now: new Date(clock.nowMs()) });
  }

  /** Reads one part of a response, not larger than `findSizes` says. @returns null, or throws, as `findSizes` does */
  async read(accountId: string, id: string, part: 'response' | 'input'): Promise<Buffer | null> {
    if (!RESPONSE_ID.test(id)) return null;
    const { sealer, clock } = this.#options;
    const found = await findResponsePart(this.#db, { accountId, id, part, now: new Date(clock.nowMs()) });
    return found && openStored(sealer, found, { accountId, id, part });
  }

  /** @returns false if the account has no such response */
  async delete(accountId: string, id: string): Promise<boolean> {
    if (!RESPONSE_ID.test(id)) return false;
    // One whose retention is over does not exist for its callers, even before it is deleted.
    const sizes = await this.findSizes(accountId, id);
    const isDeleted = await deleteResponse(this.#db, { accountId, id });
    this.#totals.delete(accountId);
    return sizes !== null && isDeleted;
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

  [Symbol.asyncDispose](): Promise<void> {
    return this.#db.close();
  }

  async #insert(given: ResponseToStore): Promise<boolean> {
    const { accountId, id, startedAtMs, response, inputSize, reservation } = given;
    const input = await given.input;
    if (reservation.grow(response.length + input.length) !== null) return false;
    if (!(await this.hasRoom(accountId))) return false;
    const { sealer } = this.#options;
    const place = { accountId, id };
    const sealed = await sealStored(sealer, response, { ...place, part: 'response' });
    const sizes = { responseSize: response.length, inputSize };
    const row = { ...place, ...sizes, createdAt: new Date(startedAtMs), response: sealed, input };
    const isStored = await insertResponse(this.#db, row);
    const totals = this.#totals.get(accountId);
    if (isStored && totals !== undefined) {
      totals.responses += 1;
      totals.bytes += row.response.length + row.input.length;
    }
    return isStored;
  }
}
