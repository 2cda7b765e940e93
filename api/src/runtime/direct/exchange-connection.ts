import type { Buffer } from 'node:buffer';
import type { BodyReceiver, BodySource } from '../../request-body/receive-body.ts';

/** A connection, as the request in progress sees it. */
export interface ExchangeConnection extends BodySource {
  /** False once the caller has disconnected. */
  readonly isOpen: boolean;
  /** Bytes of the body that have not arrived. */
  readonly missingBytes: number;
  /** Bytes written that the kernel has not taken yet. */
  readonly unsentBytes: number;
  /** The body as far as it has arrived; called once. */
  takeChunks(): readonly Buffer[];
  /** Passes the body on: what has arrived, and the rest. */
  receive(receiver: BodyReceiver): void;
  /** Receives the rest of the body, and discards it. */
  discard(): void;
  /** Receives nothing more: the connection closes after the response. */
  stopReceiving(): void;
  /** @returns the last lines of the head of the response */
  startResponse(): string;
  /** @returns false if the caller reads too slowly */
  write(data: Buffer | string, encoding?: 'latin1' | 'utf8'): boolean;
  /** The whole response was written. */
  endResponse(): void;
  /** Ends the connection without the rest of the response; nothing if the exchange is over. */
  closeFor(exchange: object): void;
}
