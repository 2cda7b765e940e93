import { openStored } from '@tollgate/auth/seal-response';
import { parseJsonObject } from '@tollgate/dialects/json/parse-object';
import { listOwnAndLost, type BackgroundPlace } from '@tollgate/db/queries/responses/background-responses';
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

/** Ends responses in the background that no process runs any more, so that none is in progress for ever. */
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
      const found = await listOwnAndLost(db, { ownReplicaId, silentForMs, limit: AT_A_TIME });
      for (const place of found) if (!runs.has(place)) await this.#fail(place);
    } catch (error) {
      log.warn({ err: error }, 'responses in the background of lost processes could not be ended');
    }
  }

  async #fail({ accountId, id }: BackgroundPlace): Promise<void> {
    const { db, sealer, clock, runs } = this.#options;
    const now = new Date(clock.nowMs());
    const found = await findResponsePart(db, { accountId, id, part: 'response', now });
    // Its retention is over.
    if (found === null) return;
    const response = await openStored(sealer, found, { accountId, id, part: 'response' });
    await runs.end({ accountId, id }, writeFailed(parseJsonObject(response.toString('utf8')) ?? {}, LOST));
  }
}
