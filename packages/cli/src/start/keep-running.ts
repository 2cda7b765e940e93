import type { Service } from './service.ts';

/** Limits and delays for restarts of a service. */
export interface RestartPolicy {
  /** Delay before the first restart; doubles with each further one. */
  firstDelayMs: number;
  maxDelayMs: number;
  /** More restarts than this within `withinMs` stop the installation. */
  maxRestarts: number;
  withinMs: number;
}

const DEFAULT_POLICY: RestartPolicy = {
  firstDelayMs: 500,
  maxDelayMs: 15_000,
  maxRestarts: 5,
  withinMs: 300_000,
};

export interface KeepRunningOptions {
  /** Fires when the installation stops: nothing is restarted after that. */
  stopping: AbortSignal;
  /** Receives one line for each exit and recovery. */
  say: (line: string) => void;
  /** Path of the service's log, for these lines. */
  logPath: string;
  policy?: RestartPolicy;
}

/**
 * Restarts a service whenever it exits after it was ready. A service that exits before it was ever ready is not
 * restarted, because its configuration is wrong.
 * @param start starts the service's process
 * @returns a service whose `exited` settles when it is stopped, never became ready, or exited too often
 */
export function keepRunning(start: () => Service, options: KeepRunningOptions): Service {
  return new KeptService(start, options);
}

class KeptService implements Service {
  readonly name: string;
  readonly exited: Promise<string>;
  readonly #start: () => Service;
  readonly #options: KeepRunningOptions;
  readonly #policy: RestartPolicy;
  #current: Service;
  /** Times of the restarts within the last `withinMs`. */
  #restartsMs: number[] = [];
  #wasReady = false;
  #isStopping = false;
  #wake: () => void = () => undefined;

  constructor(start: () => Service, options: KeepRunningOptions) {
    this.#start = start;
    this.#options = options;
    this.#policy = options.policy ?? DEFAULT_POLICY;
    this.#current = start();
    this.name = this.#current.name;
    options.stopping.addEventListener('abort', () => this.#wake(), { once: true });
    this.exited = this.#supervise();
  }

  isRunning(): boolean {
    return this.#current.isRunning();
  }

  async ready(): Promise<void> {
    await this.#current.ready();
    this.#wasReady = true;
  }

  stop(): void {
    this.#isStopping = true;
    this.#wake();
    this.#current.stop();
  }

  kill(): void {
    this.#isStopping = true;
    this.#wake();
    this.#current.kill();
  }

  get #isOver(): boolean {
    return this.#isStopping || this.#options.stopping.aborted;
  }

  async #supervise(): Promise<string> {
    for (;;) {
      const end = await this.#current.exited;
      if (this.#isOver || !this.#wasReady) return end;
      const endedMs = Date.now();
      const delayMs = this.#nextDelayMs(endedMs);
      if (delayMs === null)
        return `${end}; ${this.#policy.maxRestarts + 1} exits within ${this.#policy.withinMs / 1000} s`;
      const { say, logPath } = this.#options;
      say(`The ${this.name} exited (${end}). Restarting in ${delayMs / 1000} s. Log: ${logPath}`);
      await this.#pause(delayMs);
      if (this.#isOver) return end;
      this.#current = this.#start();
      void this.#announceRecovery(this.#current, endedMs);
    }
  }

  /** @returns null if the service has exited too often */
  #nextDelayMs(nowMs: number): number | null {
    const { firstDelayMs, maxDelayMs, maxRestarts, withinMs } = this.#policy;
    this.#restartsMs = this.#restartsMs.filter((atMs) => nowMs - atMs < withinMs);
    const count = this.#restartsMs.length;
    if (count >= maxRestarts) return null;
    this.#restartsMs.push(nowMs);
    return Math.min(maxDelayMs, firstDelayMs * 2 ** count);
  }

  async #announceRecovery(service: Service, endedMs: number): Promise<void> {
    try {
      await service.ready();
      this.#options.say(
        `The ${this.name} is running again after ${((Date.now() - endedMs) / 1000).toFixed(1)} s.`,
      );
    } catch {
      // It exited again, which is announced on exit, or it does not respond, which is in its log.
    }
  }

  #pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, delayMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
