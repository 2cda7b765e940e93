// oxlint-disable-next-line no-restricted-imports -- threads to parse in, which read and write nothing
import { Worker } from 'node:worker_threads';
import { FairQueue } from '@tollgate/core/runtime/fair-queue';
import type { AnswerTo, AnyAnswer, BodyJob } from './body-job.ts';
import { getTransfers } from './run-body-job.ts';

export interface BodyWorkersOptions {
  /**
   * Maximum number of threads; each starts with the first job that finds no idle thread. One more takes only bodies of up to
   * `QUICK_BYTES`: they do not wait for larger ones.
   */
  threads: number;
  /** A thread that takes longer for one job is terminated. */
  timeLimitMs: number;
  /**
   * Heap limit of each thread. A job that needs more ends its thread; inside `JSON.parse` it would end the process, so
   * large texts are measured first (`heap-guard.ts`).
   */
  maxHeapMib: number;
  /** The program of the threads; absent: `body-worker.ts`. */
  program?: URL;
}

/** In bytes. A job on a larger body may take a second. */
const QUICK_BYTES = 1024 * 1024;

const CLOSED = 'the threads are closed';

/** Idle threads end after this time: until then they keep the memory of their last job. */
const IDLE_MS = 10_000;

/**
 * Why a job failed: its body exceeded the time or memory limit, its code threw an exception, the machine has no room for a
 * thread, or the threads are closed.
 */
type JobFailure = 'limit' | 'exception' | 'unstarted' | 'closed';

/** A job failed. */
export class BodyJobFailed extends Error {
  readonly failure: JobFailure;

  constructor(failure: JobFailure, why: string, cause?: unknown) {
    super(`A large body was not read: ${why}`, { cause });
    this.name = 'BodyJobFailed';
    this.failure = failure;
  }
}

interface Waiting {
  isQuick: boolean;
  getJob: () => BodyJob;
  isWanted: () => boolean;
  resolve: (answer: AnyAnswer | null) => void;
  reject: (error: BodyJobFailed) => void;
}

interface Finished {
  waiting: Waiting;
  answer: AnyAnswer;
}

/**
 * Parses and translates large request bodies and reads large responses in threads, so that the event loop stays free.
 * Accounts take turns. The memory budget for bodies limits the queue. Idle threads do not keep the process alive.
 */
export class BodyWorkers {
  readonly #options: BodyWorkersOptions;
  readonly #quick = new FairQueue<Waiting>();
  readonly #large = new FairQueue<Waiting>();
  readonly #idle: Worker[] = [];
  #idleTimer: NodeJS.Timeout | null = null;
  readonly #busy = new Map<Worker, { waiting: Waiting; timer: NodeJS.Timeout }>();
  /** Failed threads until they have ended: a thread that parses cannot be interrupted. */
  readonly #ending = new Set<Worker>();
  readonly #finished: Finished[] = [];
  #isClosed = false;

  constructor(options: BodyWorkersOptions) {
    this.#options = options;
  }

  /**
   * Runs a job on a body. Its memory moves to the thread: the caller's view is empty afterwards, and the result has the bytes
   * that remain.
   * @param getJob called at its turn; gives a body that has a separate ArrayBuffer
   * @param bytes size of the body
   * @param owner owners (accounts) take turns
   * @param isWanted called at the job's turn: false if the caller has disconnected
   * @returns null if the job was no longer wanted
   * @throws BodyJobFailed
   */
  run<Job extends BodyJob>(
    getJob: () => Job,
    { bytes, owner, isWanted }: { bytes: number; owner: string; isWanted: () => boolean },
  ): Promise<AnswerTo<Job> | null> {
    if (this.#isClosed) return Promise.reject(new BodyJobFailed('closed', CLOSED));
    return new Promise((resolve, reject) => {
      // A thread answers each job with the matching type.
      const settle = (answer: AnyAnswer | null) => resolve(answer as AnswerTo<Job> | null);
      const isQuick = bytes <= QUICK_BYTES;
      const queue = isQuick ? this.#quick : this.#large;
      queue.push(owner, { isQuick, getJob, isWanted, resolve: settle, reject });
      this.#startNext();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of [
      ...this.#quick.clear(),
      ...this.#large.clear(),
      ...this.#finished.splice(0).map(({ waiting }) => waiting),
    ])
      reject(new BodyJobFailed('closed', CLOSED));
    this.#stopIdleTimer();
    const workers = [...this.#idle.splice(0), ...this.#busy.keys(), ...this.#ending];
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  #startNext(): void {
    for (let waiting = this.#takeNext(); waiting !== null; waiting = this.#takeNext())
      if (waiting.isWanted()) this.#start(waiting);
      else waiting.resolve(null);
  }

  /** @returns null if nothing waits, or no thread may start for what waits */
  #takeNext(): Waiting | null {
    const { threads } = this.#options;
    if (this.#busy.size + this.#ending.size > threads) return null;
    let quick = 0;
    for (const { waiting } of this.#busy.values()) if (waiting.isQuick) quick += 1;
    const takeQuick = () => this.#quick.shift() ?? null;
    const takeLarge = () =>
      this.#busy.size - quick + this.#ending.size < threads ? (this.#large.shift() ?? null) : null;
    return quick === 0 ? (takeQuick() ?? takeLarge()) : (takeLarge() ?? takeQuick());
  }

  #start(waiting: Waiting): void {
    this.#stopIdleTimer();
    let worker: Worker;
    try {
      worker = this.#idle.pop() ?? this.#open();
    } catch (error) {
      waiting.reject(new BodyJobFailed('unstarted', 'no thread could be started', error));
      return;
    }
    const { timeLimitMs } = this.#options;
    const timer = setTimeout(() => {
      this.#fail(worker, new BodyJobFailed('limit', `it took more than ${timeLimitMs} ms`));
      void worker.terminate();
    }, timeLimitMs);
    this.#busy.set(worker, { waiting, timer });
    worker.ref();
    try {
      const job = waiting.getJob();
      worker.postMessage(job, getTransfers(job));
    } catch (error) {
      this.#fail(worker, new BodyJobFailed('exception', 'the job could not be sent', error));
      void worker.terminate();
    }
  }

  #open(): Worker {
    const worker = new Worker(this.#options.program ?? new URL('body-worker.ts', import.meta.url), {
      // Process flags are meant for the main entry point.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: this.#options.maxHeapMib },
    });
    worker.on('message', (answer: AnyAnswer) => this.#finish(worker, answer));
    worker.on('error', (error) => {
      const failure = isOutOfMemory(error) ? 'limit' : 'exception';
      this.#fail(worker, new BodyJobFailed(failure, 'the thread broke', error));
    });
    worker.on('exit', () => {
      this.#fail(
        worker,
        new BodyJobFailed(this.#isClosed ? 'closed' : 'exception', 'the thread ended'),
        true,
      );
    });
    return worker;
  }

  #finish(worker: Worker, answer: AnyAnswer): void {
    const waiting = this.#leave(worker);
    if (waiting === null) return;
    worker.unref();
    this.#idle.push(worker);
    if (this.#finished.push({ waiting, answer }) === 1) setImmediate(() => this.#giveAnswer());
  }

  /**
   * Gives one answer in each turn of the event loop, and only then work to the idle threads. Node hands over the messages of a
   * thread until there are none: a thread that gets its next job at once sends its next answer in the same turn, and so on.
   */
  #giveAnswer(): void {
    const finished = this.#finished.shift();
    if (finished === undefined) return;
    if (this.#finished.length > 0) setImmediate(() => this.#giveAnswer());
    finished.waiting.resolve(finished.answer);
    this.#startNext();
    if (this.#busy.size === 0) this.#startIdleTimer();
  }

  #fail(worker: Worker, error: BodyJobFailed, hasEnded = false): void {
    const at = this.#idle.indexOf(worker);
    if (at >= 0) this.#idle.splice(at, 1);
    if (!hasEnded) this.#ending.add(worker);
    else this.#ending.delete(worker);
    this.#leave(worker)?.reject(error);
    this.#startNext();
    if (this.#busy.size === 0 && !this.#isClosed) this.#startIdleTimer();
  }

  #startIdleTimer(): void {
    this.#stopIdleTimer();
    this.#idleTimer = setTimeout(() => {
      for (const worker of this.#idle.splice(0)) void worker.terminate();
    }, IDLE_MS);
    this.#idleTimer.unref();
  }

  #stopIdleTimer(): void {
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    this.#idleTimer = null;
  }

  #leave(worker: Worker): Waiting | null {
    const running = this.#busy.get(worker);
    if (running === undefined) return null;
    this.#busy.delete(worker);
    clearTimeout(running.timer);
    return running.waiting;
  }
}

/** By Node, and by `heap-guard.ts` before it happens. */
const OUT_OF_MEMORY: ReadonlySet<unknown> = new Set(['ERR_WORKER_OUT_OF_MEMORY', 'HEAP_EXCEEDED']);

/** True for the error of a thread that needed more heap than its limit. */
function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && OUT_OF_MEMORY.has(error.code);
}
