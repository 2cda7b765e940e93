/** Responses that run without their callers: which ones this replica runs, and how they end in the database. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sealer } from '@tollgate/auth/seal';
import { sealStored } from '@tollgate/auth/seal-response';
import { deny, type GatewayError } from '@tollgate/core/errors/errors';
import type { Clock } from '@tollgate/core/runtime/clock';
import type { Database } from '@tollgate/db/client';
import { announceResponseEnd } from '@tollgate/db/queries/catalogue/changes';
import {
  endBackground,
  startBackground,
  withdrawBackground,
  type BackgroundPlace,
} from '@tollgate/db/queries/responses/background-responses';
import { findOutput } from '../stored/find-output.ts';
import { STORE_MS } from '../stored/response-store.ts';
import { inTransaction } from '@tollgate/db/transaction';
import { ConversationGone, type ConversationTurn } from '../conversations/conversation-turn.ts';
import type { StoredTotals } from '../stored/stored-totals.ts';
import { within } from '../within.ts';

/** Running at the same time in one process … */
export const MAX_RUNS = 256;
/** … and of one account. */
export const MAX_ACCOUNT_RUNS = 32;
/** How long the end of a response is tried to be stored, in ms. No caller waits for it. */
const END_MS = 15_000;
const RETRY_MS = 1_000;

/** A response of this replica that has not ended. */
export interface BackgroundRun extends BackgroundPlace {
  /** Ends the work on it, without storing anything. */
  stop(): void;
}

export interface BackgroundRunsOptions {
  /** Of stored responses. */
  db: Database;
  totals: StoredTotals;
  sealer: Sealer;
  clock: Clock;
  log: { warn(fields: object, message: string): void };
  replicaId: string;
}

/** A response that begins to run. */
export interface BackgroundStart extends BackgroundPlace {
  startedAtMs: number;
  response: Buffer;
  /** Sealed. */
  input: Buffer;
  inputSize: number;
}

export class BackgroundRuns {
  readonly #options: BackgroundRunsOptions;
  readonly #runs = new Map<string, BackgroundRun>();
  /** The runs that are stored. */
  readonly #started = new Set<BackgroundRun>();
  readonly #writes = new Set<Promise<unknown>>();

  constructor(options: BackgroundRunsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#runs.size;
  }

  /** Takes a place for a response; `leave` frees it. @returns why there is none; null: it has one */
  enter(run: BackgroundRun): GatewayError | null {
    const ofAccount = [...this.#runs.values()].filter(({ accountId }) => accountId === run.accountId);
    if (ofAccount.length >= MAX_ACCOUNT_RUNS) return ACCOUNT_FULL;
    if (this.#runs.size >= MAX_RUNS) return PROCESS_FULL;
    this.#runs.set(toName(run), run);
    return null;
  }

  has(place: BackgroundPlace): boolean {
    return this.#runs.has(toName(place));
  }

  leave(place: BackgroundPlace): void {
    const run = this.#runs.get(toName(place));
    if (run === undefined) return;
    this.#runs.delete(toName(place));
    this.#started.delete(run);
  }

  /** The responses that have a row, unless it was deleted since. */
  listStarted(): BackgroundPlace[] {
    return [...this.#started];
  }

  /**
   * Stores a response as running.
   * @returns false if its account stores no responses any more, or has no room. @throws Error if the database does not respond
   */
  async start(given: BackgroundStart): Promise<boolean> {
    const { db, sealer, totals, replicaId } = this.#options;
    const { accountId, id, startedAtMs, response, input, inputSize } = given;
    if (!(await within(totals.hasRoom(accountId), STORE_MS, SILENT))) return false;
    const sealed = await sealStored(sealer, response, { accountId, id, part: 'response' });
    const sizes = { responseSize: response.length, inputSize };
    const createdAt = new Date(startedAtMs);
    const row = { accountId, id, createdAt, response: sealed, input, ...sizes };
    const isStored = await within(startBackground(db, row, replicaId), STORE_MS, SILENT);
    if (!isStored) return false;
    totals.add(accountId, { responses: 1, bytes: sealed.length + input.length });
    const run = this.#runs.get(toName(given));
    if (run !== undefined) this.#started.add(run);
    return true;
  }

  /**
   * Stores the end of a response, unless it has one. Tries again for some time. Never rejects.
   * @param turn the conversation that it is added to; null: none
   * @returns false if it had ended already, was deleted, or the database does not respond
   */
  end(place: BackgroundPlace, response: Buffer, turn: ConversationTurn | null = null): Promise<boolean> {
    return this.#track(this.#end(place, response, turn));
  }

  /** Takes a response back that its caller does not know of. */
  withdraw(place: BackgroundPlace): void {
    const { db, log, totals } = this.#options;
    const withdrawing = within(withdrawBackground(db, place), STORE_MS, SILENT).catch((error: unknown) =>
      log.warn({ err: error, responseId: place.id }, 'a refused response in the background was not deleted'),
    );
    totals.forget(place.accountId);
    void this.#track(withdrawing);
  }

  /** Ends the work on a response that was cancelled or deleted, on whichever replica it runs. */
  async stopEverywhere({ accountId, id }: BackgroundPlace): Promise<void> {
    if (this.stop({ accountId, id })) return;
    await announceResponseEnd(this.#options.db, accountId, id);
  }

  /** @returns false if this replica does not run it */
  stop(place: BackgroundPlace): boolean {
    const run = this.#runs.get(toName(place));
    this.leave(place);
    run?.stop();
    return run !== undefined;
  }

  /** Resolves once all writes in progress have ended; each has a time limit. */
  async waitUntilStored(): Promise<void> {
    await Promise.all(this.#writes);
  }

  async #end(
    place: BackgroundPlace,
    response: Buffer,
    conversation: ConversationTurn | null,
  ): Promise<boolean> {
    const { accountId, id } = place;
    const output = findOutput(response);
    let turn = output && conversation;
    const { db, sealer, log } = this.#options;
    const giveUpAtMs = performance.now() + END_MS;
    for (;;) {
      try {
        const sealed = await sealStored(sealer, response, { accountId, id, part: 'response' });
        const end = { sealed, size: response.length };
        if (turn === null || output === null)
          return await within(endBackground(db, place, end), STORE_MS, SILENT);
        const adding = turn;
        const items = await adding.seal(response.subarray(output.start, output.end));
        const ending = inTransaction(
          db,
          async (tx) => (await endBackground(tx, place, end)) && adding.addOrThrow(tx, items),
        );
        const hasEnded = await within(ending, STORE_MS, SILENT);
        if (hasEnded) adding.noteAdded();
        return hasEnded;
      } catch (error) {
        // The response remains without its conversation.
        if (error instanceof ConversationGone) turn = null;
        else if (performance.now() < giveUpAtMs) await sleep(RETRY_MS);
        else {
          log.warn({ err: error, responseId: id }, 'the end of a response in the background was not stored');
          return false;
        }
      }
    }
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#writes.add(work);
    void work.then(() => this.#writes.delete(work));
    return work;
  }
}

const SILENT = 'the database does not respond';

const ACCOUNT_FULL = deny(
  'rate_limit_background',
  `${MAX_ACCOUNT_RUNS} responses of this account run in the background already. Wait for one to end, or cancel one.`,
).error;
const PROCESS_FULL = deny(
  'rate_limit_background',
  'The gateway runs too many responses in the background now. Try again later, or send the request without background.',
).error;

function toName({ accountId, id }: BackgroundPlace): string {
  return `${accountId} ${id}`;
}
