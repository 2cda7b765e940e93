/**
 * Several api processes behind one port. Each position has one worker and one listening socket. A worker that ends is
 * started again; meanwhile another one accepts its connections. On SIGHUP each worker is replaced by a new one, which is
 * ready before the old one leaves, so there is one slot more than positions: a slot is a directory of the ledger, and belongs to
 * one process at a time.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LimitCoordinator } from '@tollgate/limits/coordinated/limit-coordinator';
import { PlaceCoordinator } from '@tollgate/upstreams/routing/coordinated/place-coordinator';
import type { RouteEvent } from '@tollgate/upstreams/routing/route-events';
import type { Logger } from 'pino';
import type { BoundSocket } from './listening-sockets.ts';
import type { WorkersState } from './messages.ts';
import { RestartDelays } from './restart-delays.ts';
import { WorkerProcess, type WorkerSpec } from './worker-process.ts';

export interface SupervisorOptions {
  spec: Pick<WorkerSpec, 'file' | 'env'>;
  /** One for each worker. */
  sockets: readonly BoundSocket[];
  log: Logger;
  /** A worker that is not ready after this time is ended. */
  readyWithinMs: number;
  /** A worker that has not ended after this time is killed. */
  leaveWithinMs: number;
}

/** Where a worker belongs: its socket and its directory of the ledger. */
type WorkerSlot = Pick<WorkerProcess, 'position' | 'slot'>;

export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #delays: RestartDelays[];
  /** Running processes, also while they leave. */
  readonly #processes = new Set<WorkerProcess>();
  /** By position: the worker that is there; while it is replaced, the old one until the new one is ready. */
  readonly #current: (WorkerProcess | null)[];
  #state: WorkersState | null = null;
  readonly #limits = new LimitCoordinator();
  readonly #places = new PlaceCoordinator();
  #isStopping = false;
  #isRolling = false;
  #rollsAgain = false;
  readonly #stopped = new AbortController();
  /** The result of the start. */
  #started: Promise<boolean> = Promise.resolve(false);

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#delays = options.sockets.map(() => new RestartDelays());
    this.#current = options.sockets.map(() => null);
  }

  /**
   * Starts the workers: the first one alone, because it may migrate the database, and its end has a cause that all share.
   * @returns false if it ended before it was ready
   */
  start(): Promise<boolean> {
    this.#started = this.#start();
    return this.#started;
  }

  async #start(): Promise<boolean> {
    const first = this.#spawn(0);
    if (!(await this.#untilReady(first))) return false;
    for (const position of this.#current.keys()) {
      if (position === 0 || this.#isStopping) continue;
      try {
        this.#spawn(position);
      } catch (error) {
        this.#tryAgain({ position, slot: this.#findSlot() }, error);
      }
    }
    return true;
  }

  /** Ends the workers when their requests have ended. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#stopped.abort();
    for (const worker of this.#processes) {
      worker.isLeaving = true;
      worker.send({ type: 'drain' });
    }
    await Promise.all([...this.#processes].map(({ exited }) => exited));
  }

  /** Ends the workers at once. */
  kill(): void {
    for (const worker of this.#processes) worker.kill();
  }

  /**
   * Replaces each worker by a new process, one after another. Stops at the first one that does not get ready, or cannot be
   * created: the log says so, and the promise resolves. Begins after the start, whose first worker must not be replaced
   * before it is ready.
   */
  async roll(): Promise<void> {
    const { log } = this.#options;
    this.#rollsAgain = this.#isRolling;
    if (this.#isRolling) {
      log.info('the workers are being replaced: they are replaced once more after that');
      return;
    }
    log.info('replacing the workers one after another');
    this.#isRolling = true;
    try {
      do {
        this.#rollsAgain = false;
        await this.#rollOnce();
      } while (this.#rollsAgain);
    } catch (error) {
      log.error({ err: error }, 'a new worker could not be started: the present ones stay');
    } finally {
      this.#isRolling = false;
    }
  }

  async #rollOnce(): Promise<void> {
    if (!(await this.#started)) return;
    const { log } = this.#options;
    for (const position of this.#current.keys()) {
      const old = this.#current[position];
      // One that is about to be started again is a new process anyway.
      if (this.#isStopping || old === null || old === undefined) continue;
      const added = this.#spawn(position);
      if (!(await this.#untilReady(added))) {
        if (this.#isStopping) return;
        log.error({ worker: added.slot }, 'a new worker did not get ready: the present ones stay');
        return;
      }
      await this.#leave(old);
    }
    if (!this.#isStopping) log.info('all workers were replaced');
  }

  async #leave(worker: WorkerProcess): Promise<void> {
    worker.isLeaving = true;
    worker.send({ type: 'leave' });
    const { log, leaveWithinMs } = this.#options;
    const timer = setTimeout(() => {
      log.error({ worker: worker.slot }, 'a worker did not end in time: it is killed');
      worker.kill();
    }, leaveWithinMs);
    await worker.exited;
    clearTimeout(timer);
  }

  /**
   * If the position has a worker, it stays until the new one is ready.
   * @throws if the process cannot be created
   */
  #spawn(position: number, slot = this.#findSlot()): WorkerProcess {
    const { spec, sockets } = this.#options;
    const socket = sockets[position];
    if (socket === undefined) throw new RangeError(`no socket for worker ${position}`);
    const worker = new WorkerProcess(
      {
        ...spec,
        slot,
        position,
        workers: sockets.length,
        socket,
        answerLimits: this.#limits.connect(),
        places: this.#places,
      },
      {
        onReady: () => this.#noteReady(worker),
        onRoutes: (sender, events) => this.#share(sender, events),
        onExit: (_, cause) => this.#noteExit(worker, cause),
      },
    );
    this.#processes.add(worker);
    this.#current[position] ??= worker;
    return worker;
  }

  /** There are at most as many workers as sockets, and one that is replaced. */
  #findSlot(): number {
    const used = new Set([...this.#processes].map((worker) => worker.slot));
    let slot = 1;
    while (used.has(slot)) slot += 1;
    return slot;
  }

  /** @returns false if it ended, or is ended because it took too long */
  async #untilReady(worker: WorkerProcess): Promise<boolean> {
    const deadlineMs = performance.now() + this.#options.readyWithinMs;
    while (!worker.isReady && this.#processes.has(worker)) {
      if (performance.now() > deadlineMs) worker.kill();
      await Promise.race([sleep(20), worker.exited]);
    }
    return worker.isReady;
  }

  #share(sender: WorkerProcess, events: RouteEvent[]): void {
    for (const worker of this.#processes) if (worker !== sender) worker.send({ type: 'routes', events });
  }

  #noteReady(worker: WorkerProcess): void {
    this.#current[worker.position] = worker;
    this.#arrange();
  }

  #noteExit(worker: WorkerProcess, cause: string): void {
    this.#processes.delete(worker);
    const { position, slot } = worker;
    if (this.#current[position] === worker) this.#current[position] = null;
    if (this.#isStopping) return;
    this.#arrange();
    // Another one is at the position, or the first worker of all did not get ready.
    if (this.#current[position] !== null || this.#state === null) return;
    const delayMs = this.#delays[position]?.next(performance.now()) ?? 0;
    this.#options.log.error({ worker: slot, cause, delayMs }, 'a worker ended: it is started again');
    this.#restart(worker, delayMs).catch((error: unknown) => this.#tryAgain(worker, error));
  }

  /** @param error why no process could be created, for example that the system has no memory for it */
  #tryAgain(place: WorkerSlot, error: unknown): void {
    const delayMs = this.#delays[place.position]?.next(performance.now()) ?? 0;
    const { log } = this.#options;
    log.error(
      { worker: place.slot, err: error, delayMs },
      'a worker could not be started: it is tried again',
    );
    this.#restart(place, delayMs).catch((next: unknown) => this.#tryAgain(place, next));
  }

  /**
   * The new worker gets the directory of the ended one, and so its records.
   * @throws if its process cannot be created
   */
  async #restart({ position, slot }: WorkerSlot, delayMs: number): Promise<void> {
    await sleep(delayMs, undefined, { signal: this.#stopped.signal }).catch(() => undefined);
    const present = [...this.#processes];
    if (this.#isStopping || present.some((other) => other.position === position && !other.isLeaving)) return;
    const isFree = present.every((other) => other.slot !== slot);
    const worker = this.#spawn(position, isFree ? slot : this.#findSlot());
    if (await this.#untilReady(worker))
      this.#options.log.info({ worker: worker.slot }, 'the worker is ready again');
  }

  /** Every socket has a worker that accepts its connections, if any worker is ready. */
  #arrange(): void {
    const ready = this.#current.filter(
      (worker) => worker?.isReady === true && !worker.isLeaving,
    ) as WorkerProcess[];
    const { sockets } = this.#options;
    for (const [position, socket] of sockets.entries()) {
      const isServed = this.#current[position]?.isReady === true;
      const coverer = ready.find(({ covered }) => covered.has(position));
      if (isServed) {
        coverer?.covered.delete(position);
        coverer?.send({ type: 'uncover', position });
      } else if (coverer === undefined) {
        const next = ready.toSorted((a, b) => a.covered.size - b.covered.size)[0];
        next?.covered.add(position);
        next?.send({ type: 'cover', position }, socket);
      }
    }
    this.#report(ready);
  }

  #report(ready: readonly WorkerProcess[]): void {
    this.#state = { ready: ready.length, workers: this.#options.sockets.length, isSpeaker: false };
    for (const worker of this.#processes)
      worker.send({ type: 'state', ...this.#state, isSpeaker: worker === ready[0] });
  }
}
