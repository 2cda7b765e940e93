import type { LimitReply } from '@tollgate/limits/coordinated/calls';
import type { PlaceReply } from '@tollgate/upstreams/routing/coordinated/place-calls';
import type { RouteEvent } from '@tollgate/upstreams/routing/route-events';
import type { BoundSocket } from './listening-sockets.ts';
import type { ToSupervisor, ToWorker, WorkersState } from './messages.ts';

/** stopped: the whole api ends. replaced: a new worker has taken over. orphaned: the supervisor has ended. */
export type WorkerEnd = 'stopped' | 'replaced' | 'orphaned';

interface WorkerOwner {
  /** Called once. */
  onEnd(how: WorkerEnd): void;
  onCover(position: number, handle: BoundSocket | undefined): void;
  onUncover(position: number): void;
}

/** The channel of a worker to its supervisor. */
export class WorkerLink {
  state: WorkersState;
  onLimits: (replies: LimitReply[]) => void = () => undefined;
  onPlaces: (replies: PlaceReply[]) => void = () => undefined;
  onRoutes: (events: RouteEvent[]) => void = () => undefined;
  #owner: WorkerOwner | null = null;
  #hasEnded = false;
  readonly #stop = new AbortController();

  constructor(workers: number) {
    this.state = { ready: 0, workers, isSpeaker: false };
    process.on('message', (message: ToWorker, handle: unknown) =>
      this.#read(message, handle as BoundSocket | undefined),
    );
    process.once('disconnect', () => this.#end('orphaned'));
    // Terminals and service managers send signals to the workers too, where they mean the same as at the supervisor.
    process.on('SIGINT', () => undefined);
    process.on('SIGHUP', () => undefined);
    process.on('SIGTERM', () => this.#end('stopped'));
  }

  /** Fires when the whole api ends, also while this worker leaves because it was replaced. */
  get stopping(): AbortSignal {
    return this.#stop.signal;
  }

  /** Reports that this worker accepts connections. */
  start(owner: WorkerOwner): void {
    this.#owner = owner;
    if (process.connected) this.send({ type: 'ready' });
    else this.#end('orphaned');
  }

  send(message: ToSupervisor): void {
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
  }

  #read(message: ToWorker, handle: BoundSocket | undefined): void {
    switch (message.type) {
      case 'drain':
        return this.#end('stopped');
      case 'leave':
        return this.#end('replaced');
      case 'cover':
        return this.#owner?.onCover(message.position, handle);
      case 'uncover':
        return this.#owner?.onUncover(message.position);
      case 'limits':
        return this.onLimits(message.replies);
      case 'places':
        return this.onPlaces(message.replies);
      case 'routes':
        return this.onRoutes(message.events);
      case 'state':
        this.state = { ready: message.ready, workers: message.workers, isSpeaker: message.isSpeaker };
        return;
      default:
        // Of a supervisor of another release.
        return;
    }
  }

  #end(how: WorkerEnd): void {
    if (how !== 'replaced') this.#stop.abort();
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    // It has not begun to serve, so nothing has to be drained.
    if (this.#owner === null) process.exit(how === 'orphaned' ? 1 : 0);
    this.#owner.onEnd(how);
  }
}
