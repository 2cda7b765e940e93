import type { GatewayError } from '@tollgate/core/errors/errors';
import type { Logger } from 'pino';
import type { BodyBudget } from '../request-body/body-budget.ts';
import { RememberedResponses } from './remembered-responses.ts';
import { SOCKET_LIMITS, type SocketLimits } from './socket-limits.ts';

/** An open WebSocket, as its process sees it. */
export interface OpenSocket {
  /** SHA-256 of its key, in hex. */
  readonly keyHash: string;
  readonly accountId: string;
  /** Its key is not active any more: the connection ends, with the error unless a response has ended with it. */
  endKey(error: GatewayError): void;
  /** Ends the connection once its responses have ended. */
  drain(): void;
  /** Drops the connection. */
  terminate(): void;
  /** Called every few seconds. */
  tick(): void;
}

/** Every open WebSocket, so that revocation, timers and shutdown can reach those without a response in progress. */
export class OpenSockets {
  readonly limits: SocketLimits;
  readonly remembered: RememberedResponses;
  readonly #sockets = new Set<OpenSocket>();
  /** A missing entry means none. */
  readonly #byAccount = new Map<string, number>();
  readonly #byKey = new Map<string, number>();
  readonly #log: Pick<Logger, 'error'>;

  constructor(bodyBudget: BodyBudget, log: Pick<Logger, 'error'>, limits: Partial<SocketLimits> = {}) {
    this.limits = { ...SOCKET_LIMITS, ...limits };
    this.remembered = new RememberedResponses(bodyBudget);
    this.#log = log;
  }

  get size(): number {
    return this.#sockets.size;
  }

  /** True if one more connection of the key may be opened. */
  hasRoom({ keyHash, accountId }: Pick<OpenSocket, 'keyHash' | 'accountId'>): boolean {
    const { maxSockets, maxAccountSockets, maxKeySockets } = this.limits;
    return (
      this.#sockets.size < maxSockets &&
      (this.#byAccount.get(accountId) ?? 0) < maxAccountSockets &&
      (this.#byKey.get(keyHash) ?? 0) < maxKeySockets
    );
  }

  add(socket: OpenSocket): void {
    this.#sockets.add(socket);
    count(this.#byAccount, socket.accountId, 1);
    count(this.#byKey, socket.keyHash, 1);
  }

  remove(socket: OpenSocket): void {
    if (!this.#sockets.delete(socket)) return;
    count(this.#byAccount, socket.accountId, -1);
    count(this.#byKey, socket.keyHash, -1);
  }

  hasKey(keyHash: string): boolean {
    return this.#byKey.has(keyHash);
  }

  keyHashes(): Iterable<string> {
    return this.#byKey.keys();
  }

  endKey(keyHash: string, error: GatewayError): void {
    if (this.hasKey(keyHash))
      this.#each((socket) => {
        if (socket.keyHash === keyHash) socket.endKey(error);
      });
  }

  drain(): void {
    this.#each((socket) => socket.drain());
  }

  terminate(): void {
    this.#each((socket) => socket.terminate());
  }

  tick(): void {
    this.#each((socket) => socket.tick());
  }

  #each(reach: (socket: OpenSocket) => void): void {
    for (const socket of this.#sockets)
      try {
        reach(socket);
      } catch (error) {
        // The others are still processed.
        this.#log.error({ err: error }, 'an open WebSocket failed');
      }
  }
}

function count(numbers: Map<string, number>, name: string, change: number): void {
  const number = (numbers.get(name) ?? 0) + change;
  if (number === 0) numbers.delete(name);
  else numbers.set(name, number);
}
