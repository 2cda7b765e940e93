// oxlint-disable-next-line no-restricted-imports -- a thread to count in, which reads and writes nothing
import { Worker } from 'node:worker_threads';

export interface TokenizerThreadOptions {
  /** Of all texts that wait, those under way included; a count beyond that is refused. */
  maxWaitingCharacters: number;
  /** From the call on. The first count also waits for the tokenizer to load. */
  timeLimitMs: number;
}

/** A count that was not made: too many wait, it took too long, or the thread broke. The next may be. */
export class TokenizerUnavailable extends Error {
  constructor(why: string, cause?: unknown) {
    super(`Tokens were not counted: ${why}`, { cause });
    this.name = 'TokenizerUnavailable';
  }
}

/** What a call is at least taken for, so that many of no text are bounded, too. */
const MIN_CALL_CHARACTERS = 256;

interface Call {
  texts: readonly string[];
  characters: number;
  resolve: (tokens: number) => void;
  reject: (error: TokenizerUnavailable) => void;
  timer: NodeJS.Timeout;
}

/**
 * Counts tokens in a thread of its own, so that neither loading the tokenizer nor counting keeps others from being served.
 * The thread starts with the first count, keeps no process alive while there is nothing to count, and is started anew
 * where it breaks.
 */
export class TokenizerThread {
  readonly #options: TokenizerThreadOptions;
  /** In the order in which they came. */
  readonly #waiting = new Set<Call>();
  #waitingCharacters = 0;
  #worker: Worker | null = null;
  #underWay: { call: Call; startedAtMs: number } | null = null;

  constructor(options: TokenizerThreadOptions) {
    this.#options = options;
  }

  /**
   * Counts the tokens of texts in o200k_base, in slices of at most 256 characters.
   * @param texts together not so long that counting them takes seconds: they are copied, and nothing interrupts it
   * @throws TokenizerUnavailable
   */
  count(texts: readonly string[]): Promise<number> {
    const { maxWaitingCharacters, timeLimitMs } = this.#options;
    const characters = texts.reduce((sum, text) => sum + text.length, MIN_CALL_CHARACTERS);
    if (this.#waitingCharacters + characters > maxWaitingCharacters)
      return Promise.reject(new TokenizerUnavailable('too many wait already'));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#giveUp(call), timeLimitMs);
      const call: Call = { texts, characters, resolve, reject, timer };
      this.#waiting.add(call);
      this.#waitingCharacters += characters;
      this.#startNext();
    });
  }

  /** Ends the thread; what waits is refused. A count after that starts another. */
  async close(): Promise<void> {
    const worker = this.#worker;
    this.#breakOff('it was closed');
    await worker?.terminate();
  }

  #startNext(): void {
    if (this.#underWay !== null) return;
    const [call] = this.#waiting;
    if (call === undefined) {
      this.#worker?.unref();
      return;
    }
    this.#underWay = { call, startedAtMs: performance.now() };
    try {
      this.#worker ??= this.#open();
      this.#worker.ref();
      this.#worker.postMessage({ texts: call.texts }, []);
    } catch (error) {
      this.#breakOff('there is no thread', error);
    }
  }

  #open(): Worker {
    // Flags of the process are for its own entry: with some of them no file can be one.
    const worker = new Worker(new URL('tokenizer-worker.ts', import.meta.url), { execArgv: [] });
    const ifCurrent = (act: () => void) => {
      if (this.#worker === worker) act();
    };
    worker.on('message', (tokens: unknown) => ifCurrent(() => this.#answer(Number(tokens))));
    worker.on('error', (error) => ifCurrent(() => this.#breakOff('the thread broke', error)));
    worker.on('exit', () => ifCurrent(() => this.#breakOff('the thread ended')));
    return worker;
  }

  #answer(tokens: number): void {
    const call = this.#underWay?.call;
    this.#underWay = null;
    if (call !== undefined && this.#settle(call)) call.resolve(tokens);
    this.#startNext();
  }

  #giveUp(call: Call): void {
    const { timeLimitMs } = this.#options;
    if (this.#settle(call)) call.reject(new TokenizerUnavailable(`it took more than ${timeLimitMs} ms`));
    // What is under way is answered all the same, unless the thread is stuck.
    const startedAtMs = this.#underWay?.startedAtMs ?? Infinity;
    if (performance.now() - startedAtMs < timeLimitMs) return;
    void this.#worker?.terminate();
    this.#breakOff('the thread was stuck');
  }

  /** Forgets the thread, and refuses all that wait for it. */
  #breakOff(why: string, cause?: unknown): void {
    this.#worker?.unref();
    this.#worker = null;
    this.#underWay = null;
    for (const call of this.#waiting)
      if (this.#settle(call)) call.reject(new TokenizerUnavailable(why, cause));
  }

  /** @returns false where the call has been settled before */
  #settle(call: Call): boolean {
    clearTimeout(call.timer);
    if (!this.#waiting.delete(call)) return false;
    this.#waitingCharacters -= call.characters;
    return true;
  }
}
