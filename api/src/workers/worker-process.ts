import { spawn, type ChildProcess } from 'node:child_process';
import type { LimitCall, LimitReply } from '@tollgate/limits/coordinated/calls';
import type {
  PlaceConnection,
  PlaceCoordinator,
} from '@tollgate/upstreams/routing/coordinated/place-coordinator';
import type { RouteEvent } from '@tollgate/upstreams/routing/route-events';
import { encodePlace, LISTEN_FDS } from './worker-place.ts';
import type { BoundSocket } from './listening-sockets.ts';
import type { ToSupervisor, ToWorker } from './messages.ts';

export interface WorkerSpec {
  file: string;
  env: NodeJS.ProcessEnv;
  slot: number;
  /** Index of its listening socket. */
  position: number;
  workers: number;
  socket: BoundSocket;
  answerLimits: (calls: LimitCall[]) => LimitReply[];
  places: PlaceCoordinator;
}

interface WorkerEvents {
  onReady(worker: WorkerProcess): void;
  onRoutes(worker: WorkerProcess, events: RouteEvent[]): void;
  onExit(worker: WorkerProcess, cause: string): void;
}

/** One api process of several, as its supervisor sees it. Its output goes where that of the supervisor goes. */
export class WorkerProcess {
  readonly slot: number;
  readonly position: number;
  readonly startedAtMs = performance.now();
  /** It accepts connections. */
  isReady = false;
  /** It was asked to end. */
  isLeaving = false;
  /** Positions of other workers whose connections it accepts too. */
  readonly covered = new Set<number>();
  readonly exited: Promise<void>;
  readonly #child: ChildProcess;
  readonly #places: PlaceConnection;

  /** @throws if the process cannot be created; some causes are reported as its end instead */
  constructor(spec: WorkerSpec, events: WorkerEvents) {
    this.slot = spec.slot;
    this.position = spec.position;
    const { slot, workers, socket } = spec;
    this.#child = spawn(process.execPath, [...process.execArgv, spec.file], {
      env: { ...spec.env, TOLLGATE_WORKER: encodePlace({ slot, workers, listenFds: LISTEN_FDS }) },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc', ...Array<number>(LISTEN_FDS).fill(socket.fd)],
    });
    this.#places = spec.places.connect((replies) => this.send({ type: 'places', replies }));
    this.#child.on('message', (message: ToSupervisor) => {
      switch (message.type) {
        case 'ready':
          this.isReady = true;
          return events.onReady(this);
        case 'limits': {
          const replies = spec.answerLimits(message.calls);
          return replies.length === 0 ? undefined : this.send({ type: 'limits', replies });
        }
        case 'places':
          return this.#places.receive(message.calls);
        case 'routes':
          return events.onRoutes(this, message.events);
        default:
          // Of a worker of another release.
          return;
      }
    });
    this.exited = new Promise((resolve) => {
      const end = (cause: string) => {
        this.isReady = false;
        this.#places.close();
        events.onExit(this, cause);
        resolve();
      };
      this.#child.on('error', (error) => this.#child.pid === undefined && end(error.message));
      this.#child.once('exit', (code, signal) => end(signal ?? `exit code ${code}`));
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** True until its process has ended. */
  get isRunning(): boolean {
    return this.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** A message to a process that has just ended is dropped. */
  send(message: ToWorker, socket?: BoundSocket): void {
    if (!this.#child.connected) return;
    // The types of Node leave out handles that are not in a server, which it can send.
    this.#child.send(message, socket as never, () => undefined);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
