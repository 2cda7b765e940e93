import { Buffer } from 'node:buffer';
import type { Exchange } from '../exchange.ts';
import { ForwardingExchange } from '../forwarding-exchange.ts';
import type { Recording } from './recording.ts';

/** An exchange that logs the response body. Each piece is sent before it is recorded. */
export class RecordedExchange extends ForwardingExchange {
  readonly #recording: Recording;

  constructor(exchange: Exchange, recording: Recording) {
    super(exchange);
    this.#recording = recording;
    exchange.listen(this);
  }

  override send(status: number, contentType: string, body: Buffer | string): void {
    const { isDisconnected } = this;
    super.send(status, contentType, body);
    if (!isDisconnected) this.#recording.add(typeof body === 'string' ? Buffer.from(body) : body);
    this.#recording.finish();
  }

  override sendPieces(
    status: number,
    contentType: string,
    pieces: readonly Buffer[],
    onTaken: () => void,
  ): void {
    // Sending may empty the pieces.
    if (!this.isDisconnected) for (const piece of pieces) this.#recording.add(piece);
    super.sendPieces(status, contentType, pieces, onTaken);
    this.#recording.finish();
  }

  override write(text: string): boolean {
    return this.writeLatin1(Buffer.from(text).toString('latin1'));
  }

  override writeLatin1(bytes: string): boolean {
    const hasRoom = super.writeLatin1(bytes);
    if (!this.isDisconnected) this.#recording.addLatin1(bytes);
    return hasRoom;
  }

  override writePieces(pieces: readonly (Buffer | string)[], onTaken: () => void): boolean {
    if (!this.isDisconnected)
      for (const piece of pieces)
        if (typeof piece === 'string') this.#recording.addText(piece);
        else this.#recording.add(piece);
    return super.writePieces(pieces, onTaken);
  }

  override end(): void {
    super.end();
    this.#recording.finish();
  }

  override destroy(): void {
    super.destroy();
    this.#recording.finish();
  }

  override onDisconnect(): void {
    this.#recording.finish();
    super.onDisconnect();
  }
}
