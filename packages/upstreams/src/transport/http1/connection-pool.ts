import type { Buffer } from 'node:buffer';
import { Connection, type ConnectionOwner } from './connection.ts';
import { lengthOfBody } from '../transport.ts';
import { encodeRequestHead } from './encode-head.ts';
import type { Http1Call } from './http1-call.ts';
import { parseOrigin, type Origin } from './origin.ts';

/** Connections to one provider that are kept without a request. */
const MAX_IDLE = 256;

/**
 * The connections to one provider. The one used last is taken first, so that taking one costs the same however many there
 * are, and those that are too many grow old.
 */
export class ConnectionPool implements ConnectionOwner {
  readonly #origin: Origin;
  readonly #ca: readonly string[] | null;
  readonly #idle: Connection[] = [];
  /** Released since the last turn of the event loop. */
  #released: Connection[] = [];
  /** Released before it: whatever the server had sent by then is read in this turn. */
  #settling: Connection[] = [];
  #nextTurn: NodeJS.Immediate | null = null;
  readonly #all = new Set<Connection>();
  #session: Buffer | null = null;

  /** @throws ProtocolError where `origin` is none of http or https */
  constructor(origin: string, ca: readonly string[] | null) {
    this.#origin = parseOrigin(origin);
    this.#ca = ca;
  }

  get size(): number {
    return this.#all.size;
  }

  /** Sends the call over an idle connection or a new one. @throws ProtocolError where it cannot be written as HTTP */
  send(call: Http1Call): void {
    const { path, headers, body } = call.request;
    const { authority } = this.#origin;
    const head = encodeRequestHead({ authority, path, headers, bodyBytes: lengthOfBody(body) });
    (this.#findIdle() ?? this.#open()).carry(call, head);
  }

  checkTime(nowMs: number): void {
    for (const connection of this.#all) connection.checkTime(nowMs);
  }

  close(): void {
    if (this.#nextTurn !== null) clearImmediate(this.#nextTurn);
    this.#nextTurn = null;
    for (const connection of this.#all) connection.close();
  }

  /**
   * A connection is used again only after its socket has been read once more: bytes that came behind a response, in a
   * segment of their own, would pass for the response to the next request.
   */
  release(connection: Connection): void {
    if (this.#idle.length + this.#settling.length + this.#released.length >= MAX_IDLE) {
      connection.destroy();
      return;
    }
    this.#released.push(connection);
    this.#nextTurn ??= setImmediate(() => this.#turn());
  }

  drop(connection: Connection): void {
    if (!this.#all.delete(connection)) return;
    const at = this.#idle.indexOf(connection);
    if (at >= 0) this.#idle.splice(at, 1);
  }

  /** The next handshake takes it up again: https://www.rfc-editor.org/rfc/rfc8446#section-2.2 */
  keepSession(session: Buffer): void {
    this.#session = session;
  }

  /** Runs after the event loop has read all sockets. Connections that brought bytes meanwhile are destroyed, not usable. */
  #turn(): void {
    this.#idle.push(...this.#settling);
    this.#settling = this.#released;
    this.#released = [];
    this.#nextTurn = this.#settling.length === 0 ? null : setImmediate(() => this.#turn());
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
