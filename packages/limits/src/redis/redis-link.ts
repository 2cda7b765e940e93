import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createClient } from '@redis/client';

/** Logger of the limits, compatible with pino. */
export interface LimitsLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

const SCRIPT = readFileSync(new URL('limits.lua', import.meta.url), 'utf8');
const SCRIPT_SHA = createHash('sha1').update(SCRIPT).digest('hex');
const CONNECT_TIMEOUT_MS = 2000;
const MAX_RECONNECT_WAIT_MS = 1000;
const PROBE_EVERY_MS = 250;
const PROBE_TIMEOUT_MS = 1000;
/** Maximum number of pending Redis commands. */
const MAX_IN_FLIGHT = 2000;

/**
 * The connection to Redis and its health. It is up after a successful write and down after the
 * first failure. It is then probed, over a new connection if the old one cannot write (a master that became a
 * replica, a silent peer), until a write succeeds.
 *
 * Commands are never sent twice, because the first one may have been counted. The only exception is a script that
 * Redis does not know, because then nothing has run.
 */
export class RedisLink {
  readonly #url: string;
  readonly #log: LimitsLog | null;
  readonly #onUp: () => void;
  #client: Client;
  #isUp = false;
  #isClosed = false;
  #inFlight = 0;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param onUp called each time Redis becomes available
   * @throws if the URL is invalid
   */
  constructor(options: { url: string; log: LimitsLog | null; onUp: () => void }) {
    this.#url = options.url;
    this.#log = options.log;
    this.#onUp = options.onUp;
    this.#client = this.#connect();
    this.#probeLater(0);
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** True if another command may be sent. */
  get isFree(): boolean {
    return this.#isUp && this.#inFlight < MAX_IN_FLIGHT;
  }

  /** Runs the script once. Rejects if Redis fails. The caller must enforce a timeout. */
  async run(keys: string[], parameters: string[]): Promise<unknown> {
    if (!this.isFree) throw new Error('Redis is not there or has too much to do');
    this.#inFlight += 1;
    const client = this.#client;
    try {
      return await client
        .evalSha(SCRIPT_SHA, { keys, arguments: parameters })
        .catch(async (error: unknown) => {
          if (!isUnknownScript(error)) throw error;
          return client.eval(SCRIPT, { keys, arguments: parameters });
        });
    } catch (error) {
      if (client === this.#client) this.markDown(getMessage(error));
      throw error;
    } finally {
      this.#inFlight -= 1;
    }
  }

  /** Marks Redis as down after a failed command and starts probing. */
  markDown(reason: string): void {
    if (!this.#isUp || this.#isClosed) return;
    this.#isUp = false;
    this.#log?.warn({ reason }, 'Redis is away: limits are kept by the memory of this process');
    this.#probeLater(PROBE_EVERY_MS);
  }

  close(): void {
    this.#isClosed = true;
    this.#isUp = false;
    clearTimeout(this.#timer);
    discard(this.#client);
  }

  #connect(): Client {
    const client = openClient(this.#url);
    client.on('error', (error: unknown) => {
      if (client === this.#client) this.markDown(getMessage(error));
    });
    client.on('ready', () => {
      if (client === this.#client && !this.#isUp) this.#probeLater(0);
    });
    client.connect().catch((error: unknown) => {
      if (client === this.#client) this.markDown(getMessage(error));
    });
    return client;
  }

  #probeLater(waitMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      void this.#probe();
    }, waitMs);
  }

  async #probe(): Promise<void> {
    const client = this.#client;
    // Until it is ready, it reconnects automatically.
    const written = client.isReady ? await isWritten(client) : null;
    if (this.#isClosed || client !== this.#client) return;
    if (written === true) {
      this.#isUp = true;
      this.#log?.info({}, 'Redis keeps the limits');
      this.#onUp();
      return;
    }
    if (written === false) {
      discard(client);
      this.#client = this.#connect();
    }
    this.#probeLater(PROBE_EVERY_MS);
  }
}

type Client = ReturnType<typeof openClient>;

function openClient(url: string) {
  return createClient({
    url,
    disableOfflineQueue: true,
    socket: {
      connectTimeout: CONNECT_TIMEOUT_MS,
      reconnectStrategy: (retries) =>
        Math.min(MAX_RECONNECT_WAIT_MS, 50 * 2 ** Math.min(retries, 6)) * (0.5 + Math.random() / 2),
    },
  });
}

/** Checks that Redis accepts writes, and loads the script. */
async function isWritten(client: Client): Promise<boolean> {
  const written = Promise.all([
    client.set('tollgate:limits:probe', '1', { expiration: { type: 'PX', value: 1000 } }),
    client.scriptLoad(SCRIPT),
  ]);
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, PROBE_TIMEOUT_MS, false);
  });
  const answered = await Promise.race([
    written.then(
      () => true,
      () => false,
    ),
    timeout,
  ]);
  clearTimeout(timer);
  return answered;
}

function discard(client: Client): void {
  try {
    client.destroy();
  } catch {
    // Already closed.
  }
}

function isUnknownScript(error: unknown): boolean {
  return getMessage(error).startsWith('NOSCRIPT');
}

function getMessage(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
