// oxlint-disable-next-line no-restricted-imports -- a thread to count in, which reads and writes nothing
import { Worker } from 'node:worker_threads';
import { FairQueue } from '@tollgate/core/runtime/fair-queue';
import { TextBatches } from './text-batches.ts';

export interface TokenizerThreadOptions {
  /** Limit for all texts in progress; a count beyond it is refused. One owner may have a quarter of it. */
  maxWaitingCharacters: number;
  /** From the call on. The first count also waits for the tokenizer to load. */
  timeLimitMs: number;
}

/** The owner and the purpose of a count. */
export interface CountFor {
  /** Owners take turns: an account. */
  owner: string;
  /** An admission decides whether a request can be paid; it goes before any `estimate` that a caller requested. */
  purpose: 'admission' | 'estimate';
}

/** A count that was not made: too much is in progress, it took too long, or the thread broke. The next may be. */
export class TokenizerUnavailable extends Error {
  constructor(why: string, cause?: unknown) {
    super(`Tokens were not counted: ${why}`, { cause });
    this.name = 'TokenizerUnavailable';
  }
}

/** Minimum size of a call, so that many calls without text are bounded, too. */
const MIN_CALL_CHARACTERS = 256;
const OWNER_SHARE = 1 / 4;
/** The rest is kept for admissions. */
const ESTIMATES_SHARE = 3 / 4;
/** Characters that the thread counts before the next owner has its turn: some 15 ms, 80 ms for text without spaces. */
const TURN_CHARACTERS = 16 * 1024;

interface Call {
  for: CountFor;
  texts: TextBatches;
  tokens: number;
  characters: number;
  isSettled: boolean;
  resolve: (tokens: number) => void;
  reject: (error: TokenizerUnavailable) => void;
  timer: NodeJS.Timeout;
}

/**
 * Counts tokens in a separate thread, so that neither loading the tokenizer nor counting delays the caller's thread. Long
 * texts are counted in turns: owners take turns, and admissions go before estimates. The thread starts with the first count,
 * keeps no process alive while it is idle, and starts again after a failure.
 */
export class TokenizerThread {
  readonly #options: TokenizerThreadOptions;
  readonly #admissions = new FairQueue<Call>();
  readonly #estimates = new FairQueue<Call>();
  readonly #ownerCharacters = new Map<string, number>();
  #characters = 0;
  #worker: Worker | null = null;
  #current: { call: Call; startedAtMs: number } | null = null;

  constructor(options: TokenizerThreadOptions) {
    this.#options = options;
  }

  /**
   * Counts the tokens of texts in o200k_base, in slices of at most 256 characters.
   * @throws TokenizerUnavailable
   */
  count(texts: readonly string[], countFor: CountFor): Promise<number> {
    const { maxWaitingCharacters, timeLimitMs } = this.#options;
    const { owner, purpose } = countFor;
    const characters = texts.reduce((sum, text) => sum + text.length, MIN_CALL_CHARACTERS);
    const total = this.#characters + characters;
    const ofOwner = (this.#ownerCharacters.get(owner) ?? 0) + characters;
    if (total > maxWaitingCharacters * (purpose === 'admission' ? 1 : ESTIMATES_SHARE))
      return Promise.reject(new TokenizerUnavailable('too much is being counted'));
    if (ofOwner > maxWaitingCharacters * OWNER_SHARE)
      return Promise.reject(new TokenizerUnavailable('too much is being counted for one owner'));
    this.#characters = total;
    this.#ownerCharacters.set(owner, ofOwner);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#giveUp(call), timeLimitMs);
      const progress = { texts: new TextBatches(texts), tokens: 0, characters, isSettled: false };
      const call: Call = { for: countFor, ...progress, resolve, reject, timer };
      this.#getQueue(call).push(owner, call);
      this.#startNext();
    });
  }

  /** Ends the thread; counts in progress are refused. A count after that starts another. */
  async close(): Promise<void> {
    const worker = this.#worker;
    this.#breakOff('it was closed');
    await worker?.terminate();
  }

  #getQueue(call: Call): FairQueue<Call> {
    return call.for.purpose === 'admission' ? this.#admissions : this.#estimates;
  }

  #startNext(): void {
    if (this.#current !== null) return;
    const call = this.#admissions.shift() ?? this.#estimates.shift();
    if (call === undefined) {
      this.#worker?.unref();
      return;
    }
    this.#current = { call, startedAtMs: performance.now() };
    try {
      this.#worker ??= this.#open();
      this.#worker.ref();
      this.#worker.postMessage({ texts: call.texts.take(TURN_CHARACTERS) }, []);
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
    worker.on('message', (tokens: unknown) => ifCurrent(() => this.#takeAnswer(Number(tokens))));
    worker.on('error', (error) => ifCurrent(() => this.#breakOff('the thread broke', error)));
    worker.on('exit', () => ifCurrent(() => this.#breakOff('the thread ended')));
    return worker;
  }

  #takeAnswer(tokens: number): void {
    const call = this.#current?.call;
    this.#current = null;
    if (call !== undefined && !call.isSettled) {
      call.tokens += tokens;
      if (!call.texts.isEmpty) this.#getQueue(call).push(call.for.owner, call);
      else if (this.#settle(call)) call.resolve(call.tokens);
    }
    this.#startNext();
  }

  #giveUp(call: Call): void {
    const { timeLimitMs } = this.#options;
    this.#getQueue(call).remove(call.for.owner, call);
    if (this.#settle(call)) call.reject(new TokenizerUnavailable(`it took more than ${timeLimitMs} ms`));
    // The turn in progress is answered all the same, unless the thread is stuck.
    const startedAtMs = this.#current?.startedAtMs ?? Infinity;
    if (performance.now() - startedAtMs < timeLimitMs) return;
    void this.#worker?.terminate();
    this.#breakOff('the thread was stuck');
  }

  /** Drops the thread, and rejects every count in progress. */
  #breakOff(why: string, cause?: unknown): void {
    this.#worker?.unref();
    this.#worker = null;
    const current = this.#current?.call;
    this.#current = null;
    const waiting = [...this.#admissions.clear(), ...this.#estimates.clear()];
    for (const call of current === undefined ? waiting : [current, ...waiting])
      if (this.#settle(call)) call.reject(new TokenizerUnavailable(why, cause));
  }

  /** @returns false if the call has been settled before */
  #settle(call: Call): boolean {
    clearTimeout(call.timer);
    if (call.isSettled) return false;
    call.isSettled = true;
    this.#characters -= call.characters;
    const { owner } = call.for;
    const left = (this.#ownerCharacters.get(owner) ?? 0) - call.characters;
    if (left > 0) this.#ownerCharacters.set(owner, left);
    else this.#ownerCharacters.delete(owner);
    return true;
  }
}
