import type { Buffer } from 'node:buffer';
import { Connection, type ConnectionOwner } from './connection.ts';
import { lengthOfBody } from '../transport.ts';
import { encodeRequestHead } from './encode-head.ts';
import type { Http1Call } from './http1-call.ts';
import { parseOrigin, type Origin } from './origin.ts';
import { atTurnEnd } from './turn-end.ts';

/** Maximum number of idle connections to one provider. */
const MAX_IDLE = 256;

/**
 * The connections to one provider. The most recently used is taken first, so that taking costs the same at any size and
 * excess connections time out.
 */
export class ConnectionPool implements ConnectionOwner {
  readonly #origin: Origin;
  readonly #ca: readonly string[] | null;
  readonly #idle: Connection[] = [];
  /** Connections released in this turn. */
  #released: Connection[] = [];
  readonly #all = new Set<Connection>();
  #session: Buffer | null = null;

  /** @throws ProtocolError if `origin` is not http or https */
  constructor(origin: string, ca: readonly string[] | null) {
    this.#origin = parseOrigin(origin);
    this.#ca = ca;
  }

  get size(): number {
    return this.#all.size;
  }

  /** Sends the call over an idle connection or a new one. @throws ProtocolError if it cannot be written as HTTP */
  send(call: Http1Call): void {
    const { method, path, headers, body } = call.request;
    const { authority } = this.#origin;
    const head = encodeRequestHead({ method, authority, path, headers, bodyBytes: lengthOfBody(body) });
    this.carry(call, head);
  }

  carry(call: Http1Call, head: string): void {
    (this.#findIdle() ?? this.#open()).carry(call, head);
  }

  checkTime(nowMs: number): void {
    for (const connection of this.#all) connection.checkTime(nowMs);
  }

  close(): void {
    for (const connection of this.#all) connection.close();
  }

  /**
   * A connection is reused in the next turn at the earliest, and requests are written at the end of a turn: by then its
   * socket was read once more. Late bytes after a response must not be read as the next response.
   */
  release(connection: Connection): void {
    if (this.#idle.length + this.#released.length >= MAX_IDLE) {
      connection.destroy();
      return;
    }
    if (this.#released.push(connection) === 1) atTurnEnd(() => this.#keepReleased());
  }

  drop(connection: Connection): void {
    if (!this.#all.delete(connection)) return;
    const at = this.#idle.indexOf(connection);
    if (at >= 0) this.#idle.splice(at, 1);
  }

  /** Resumed by the next handshake: https://www.rfc-editor.org/rfc/rfc8446#section-2.2 */
  keepSession(session: Buffer): void {
    this.#session = session;
  }

  #keepReleased(): void {
    this.#idle.push(...this.#released);
    this.#released = [];
  }

  #findIdle(): Connection | null {
    const nowMs = performance.now();
    for (let connection = this.#idle.pop(); connection !== undefined; connection = this.#idle.pop()) {
      if (connection.isUsable(nowMs)) return connection;
      connection.destroy();
    }
    return null;
  }

  #open(): Connection {
    const connection = new Connection(this, { origin: this.#origin, ca: this.#ca, session: this.#session });
    this.#all.add(connection);
    return connection;
  }
}
