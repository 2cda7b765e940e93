import type { Buffer } from 'node:buffer';
import type { Exchange } from '../exchange.ts';
import { ForwardingExchange } from '../forwarding-exchange.ts';
import type { ConversationTurn } from './conversation-turn.ts';

/** The exchange of a request that has a conversation for itself: it gives it back before the caller has its response. */
export class LockedExchange extends ForwardingExchange {
  readonly #turn: ConversationTurn;

  constructor(exchange: Exchange, turn: ConversationTurn) {
    super(exchange);
    this.#turn = turn;
    exchange.listen(this);
  }

  override send(status: number, contentType: string, body: Buffer | string): void {
    void this.#turn.release().then(() => super.send(status, contentType, body));
  }

  override sendPieces(
    status: number,
    contentType: string,
    pieces: readonly Buffer[],
    onTaken: () => void,
  ): void {
    void this.#turn.release().then(() => super.sendPieces(status, contentType, pieces, onTaken));
  }

  override end(): void {
    void this.#turn.release().then(() => super.end());
  }

  override destroy(): void {
    void this.#turn.release();
    super.destroy();
  }

  override onDisconnect(): void {
    void this.#turn.release();
    super.onDisconnect();
  }
}
