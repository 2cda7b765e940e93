import { STORED_LIMITS } from '@tollgate/core/requests/stored-responses';
import type { Database } from '@tollgate/db/client';
import { sumResponses } from '@tollgate/db/queries/responses/stored-responses';
import { LRUCache } from 'lru-cache';

/** The totals of an account may be this old, so an account can exceed its limit by what it stores meanwhile. */
const TOTALS_MS = 10_000;
const MAX_TOTALS = 10_000;

interface Totals {
  responses: number;
  bytes: number;
}

/** What each account has stored in all, as this replica knows it. */
export class StoredTotals {
  readonly #db: Database;
  readonly #totals = new LRUCache<string, Totals>({ max: MAX_TOTALS, ttl: TOTALS_MS });

  constructor(db: Database) {
    this.#db = db;
  }

  /** True if the account may store more. @throws Error if the database does not respond */
  async hasRoom(accountId: string): Promise<boolean> {
    const totals = this.#totals.get(accountId) ?? (await sumResponses(this.#db, accountId));
    this.#totals.set(accountId, totals, { noUpdateTTL: true });
    return totals.responses < STORED_LIMITS.maxResponses && totals.bytes < STORED_LIMITS.maxAccountBytes;
  }

  /** Adds what this replica has stored. */
  add(accountId: string, added: Totals): void {
    const totals = this.#totals.get(accountId);
    if (totals === undefined) return;
    totals.responses += added.responses;
    totals.bytes += added.bytes;
  }

  /** The account has deleted something. */
  forget(accountId: string): void {
    this.#totals.delete(accountId);
  }
}
