import type { Buffer } from 'node:buffer';
import { openStored } from '@tollgate/auth/seal-response';
import { parseJsonObject, type JsonObject } from '@tollgate/dialects/json/parse-object';
import {
  listOwn,
  listOwnAndLost,
  type BackgroundPlace,
} from '@tollgate/db/queries/responses/background-responses';
import { findResponsePart } from '@tollgate/db/queries/responses/stored-responses';
import { writeFailed } from './background-response.ts';
import { MAX_RUNS, type BackgroundRuns, type BackgroundRunsOptions } from './background-runs.ts';

const LOOK_EVERY_MS = 10_000;
/** A replica counts as gone after this time without a heartbeat: longer than a usual outage of the database. */
const SILENT_FOR_MS = 60_000;
/** Maximum per look: more than this process may run. */
const AT_A_TIME = 2 * MAX_RUNS;

const LOST = {
  code: 'server_error',
  message: 'The process that ran this response ended before the response did. Send the request again.',
};

export interface LostRunsOptions extends BackgroundRunsOptions {
  runs: BackgroundRuns;
  /** Overrides for tests. */
  pace?: { lookEveryMs: number; silentForMs: number };
}

/**
 * Ends responses in the background that no process runs any more, so that none is in progress for ever. Also stops
 * responses that are not stored any more: they were cancelled or deleted elsewhere, or their account stores nothing any more.
 */
export class LostRuns implements AsyncDisposable {
  readonly #options: LostRunsOptions;
  #timer: ReturnType<typeof setInterval> | null = null;
  #looking: Promise<void> | null = null;

  constructor(options: LostRunsOptions) {
    this.#options = options;
  }

  start(): void {
    const { lookEveryMs = LOOK_EVERY_MS } = this.#options.pace ?? {};
    this.#timer = setInterval(() => {
      // One at a time, so that a slow database does not get more queries.
      this.#looking ??= this.#look().finally(() => (this.#looking = null));
    }, lookEveryMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    await this.#looking;
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    const { db, log, replicaId: ownReplicaId, pace, runs } = this.#options;
    const silentForMs = pace?.silentForMs ?? SILENT_FOR_MS;
    try {
      await this.#stopEnded();
      const found = await listOwnAndLost(db, { ownReplicaId, silentForMs, limit: AT_A_TIME });
      for (const place of found) if (!runs.has(place)) await this.#fail(place);
    } catch (error) {
      log.warn({ err: error }, 'responses in the background of lost processes could not be ended');
    }
  }

  async #stopEnded(): Promise<void> {
    const { db, replicaId, runs } = this.#options;
    // First, so that each of them has a row unless it has ended.
    const started = runs.listStarted();
    if (started.length === 0) return;
    const rows = new Set((await listOwn(db, replicaId)).map(toName));
    for (const place of started) if (!rows.has(toName(place))) runs.stop(place);
  }

  async #fail(place: BackgroundPlace): Promise<void> {
    const { db, clock, runs } = this.#options;
    const now = new Date(clock.nowMs());
    const found = await findResponsePart(db, { ...place, part: 'response', now });
    // Its retention is over.
    if (found === null) return;
    await runs.end(place, writeFailed(await this.#open(place, found), LOST));
  }

  /** One that cannot be decrypted must not keep the others from being ended. */
  async #open(
    { accountId, id }: BackgroundPlace,
    found: { sealed: Buffer; size: number },
  ): Promise<JsonObject> {
    const { sealer, log } = this.#options;
    try {
      const response = await openStored(sealer, found, { accountId, id, part: 'response' });
      return parseJsonObject(response.toString('utf8')) ?? {};
    } catch (error) {
      log.warn({ err: error, responseId: id }, 'a response in the background could not be decrypted');
      return { id, object: 'response', background: true, output: [] };
    }
  }
}

function toName({ accountId, id }: BackgroundPlace): string {
  return `${accountId} ${id}`;
}
