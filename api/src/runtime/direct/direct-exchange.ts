import type { Buffer } from 'node:buffer';
import { deny, type Result } from '@tollgate/core/errors/errors';
import type { HeaderFindings } from '../../exchange.ts';
import { BodyCollector } from '../../request-body/body-collector.ts';
import { BROKEN_BODY, type ReadLimits } from '../../request-body/read-limits.ts';
import { BodyReceiver } from '../../request-body/receive-body.ts';
import { MAX_DISCARDED_BYTES, ONE_WRITE_BYTES, SocketExchange } from '../socket-exchange.ts';
import type { ExchangeConnection } from './exchange-connection.ts';
import type { RequestHead } from './parse-request-head.ts';
import { encodeResponseHead } from './response-head.ts';

/** A request that the gateway itself has read from its connection. */
export class DirectExchange extends SocketExchange {
  readonly method = 'POST';
  protected readonly isFramed = true;
  readonly #connection: ExchangeConnection;
  readonly #request: RequestHead;
  /** The head of the response until it is sent. */
  #head = '';

  constructor(connection: ExchangeConnection, request: RequestHead) {
    super();
    this.#connection = connection;
    this.#request = request;
  }

  get query(): string {
    return this.#request.fields.query;
  }

  get findings(): HeaderFindings {
    return this.#request.fields.findings;
  }

  header(name: string): string | null {
    return this.#request.fields.headers.get(name) ?? null;
  }

  get declaredBodyBytes(): number {
    return this.#request.contentLength;
  }

  readBody(limits: ReadLimits): Result<Buffer> | Promise<Result<Buffer>> {
    const collector = new BodyCollector(this.declaredBodyBytes, limits);
    const refused = collector.start();
    if (refused !== null) return { ok: false, error: refused };
    const connection = this.#connection;
    if (connection.missingBytes === 0) {
      for (const chunk of connection.takeChunks()) {
        const error = collector.add(chunk);
        if (error !== null) return { ok: false, error };
      }
      return { ok: true, value: collector.finish() };
    }
    if (!connection.isOpen) return deny('invalid_request', BROKEN_BODY);
    // A small body reserves little, so the request timeout is enough.
    const isWatched = this.declaredBodyBytes > MAX_DISCARDED_BYTES;
    const receiver = new BodyReceiver(connection, collector, { limits, isWatched });
    connection.receive(receiver);
    return receiver.result;
  }

  protected get missingBodyBytes(): number {
    return this.#connection.missingBytes;
  }

  protected get unsentBytes(): number {
    return this.#connection.unsentBytes;
  }

  protected writeHead(status: number): void {
    this.#head = encodeResponseHead(status, this.headers, this.#connection.startResponse());
  }

  /** The head, once. */
  #takeHead(): string {
    const head = this.#head;
    this.#head = '';
    return head;
  }

  protected writeText(text: string): boolean {
    return this.#connection.write(this.#takeHead() + text, 'latin1');
  }

  protected writeBytes(bytes: Buffer): boolean {
    const head = this.#takeHead();
    if (head !== '') this.#connection.write(head, 'latin1');
    return this.#connection.write(bytes);
  }

  protected endText(text: string): void {
    const rest = this.#takeHead() + text;
    if (rest !== '') this.#connection.write(rest, 'utf8');
    this.#connection.endResponse();
  }

  protected endBytes(bytes: Buffer): void {
    if (bytes.length > ONE_WRITE_BYTES) this.writeBytes(bytes);
    else this.writeText(bytes.toString('latin1'));
    this.#connection.endResponse();
  }

  /** The connection always reports it. */
  protected awaitDrain(): void {}

  protected stopAwaitingDrain(): void {}

  protected discardBody(): void {
    this.#connection.discard();
  }

  protected stopReceiving(): void {
    this.#connection.stopReceiving();
  }

  /** After the end, the connection may belong to another request. */
  protected closeConnection(): void {
    this.#connection.closeFor(this);
  }

  /** Called once, by the connection. */
  override close(isWhole: boolean): void {
    super.close(isWhole);
  }
}
