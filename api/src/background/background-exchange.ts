import { Buffer } from 'node:buffer';
import { STORED_LIMITS } from '@tollgate/core/requests/stored-responses';
import type { ConversationTurn } from '../conversations/conversation-turn.ts';
import type { Exchange } from '../exchange.ts';
import { ForwardingExchange } from '../forwarding-exchange.ts';
import { JSON_TYPE } from '../pipeline/content-types.ts';
import { STORED } from '../stored/storing-exchange.ts';
import { writeFailed, writeFinished, writeRefused, writeUnfinished } from './background-response.ts';
import type { UnfinishedResponse } from './background-response.ts';

/** What becomes of a response in the background. Functions never reject. */
export interface BackgroundOutcome {
  /** The caller got an error, or disconnected, before it knew of the response. */
  onWithdrawn(): void;
  /**
   * @param response to be stored
   * @param isWhole false: it failed
   */
  onEnded(response: Buffer, isWhole: boolean): Promise<void>;
}

const TOO_LARGE = {
  code: 'server_error',
  message: `The response is larger than ${STORED_LIMITS.maxResponseBytes / 1024 / 1024} MiB, so it was not stored. Request it without background.`,
};
const INTERRUPTED = { code: 'server_error', message: 'The response was interrupted.' };

/**
 * The exchange of a response that runs without its caller. Until it is accepted, the caller waits, and gets an error if
 * there is one. Then it gets the unfinished response, and the end of the response is stored.
 */
export class BackgroundExchange extends ForwardingExchange {
  #response: UnfinishedResponse | null = null;
  #outcome: BackgroundOutcome | null = null;
  readonly #turn: ConversationTurn | null;
  #isAccepted = false;
  #isOver = false;
  #isCancelled = false;

  /** @param turn the conversation that it is added to; null: none */
  constructor(exchange: Exchange, turn: ConversationTurn | null) {
    super(exchange);
    this.#turn = turn;
    exchange.listen(this);
  }

  override get isDisconnected(): boolean {
    return this.#isOver || (!this.#isAccepted && this.exchange.isDisconnected);
  }

  /** True: its caller wants nothing more of the response. */
  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** The response is stored as unfinished. */
  begin(response: UnfinishedResponse, outcome: BackgroundOutcome): void {
    this.#response = response;
    this.#outcome = outcome;
  }

  /** The response is paid for: its caller gets it. */
  accept(): void {
    if (this.isDisconnected || this.#isAccepted || this.#response === null) return;
    this.#isAccepted = true;
    this.exchange.setHeader(STORED, 'true');
    this.exchange.send(200, JSON_TYPE, writeUnfinished(this.#response, 'queued'));
  }

  /** Ends the work on the response: it was cancelled. */
  stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#isCancelled = true;
    void this.#turn?.release();
    // Nothing else ends the request of a caller that still waits.
    if (!this.#isAccepted) this.exchange.destroy();
    super.onDisconnect();
  }

  /** The gateway failed. */
  abandon(): void {
    if (this.#isAccepted) void this.#end((response) => writeFailed(response, INTERRUPTED));
    else if (!this.#isOver) this.#withdraw();
  }

  override setHeader(name: string, value: string): void {
    if (!this.#isAccepted) this.exchange.setHeader(name, value);
  }

  override send(status: number, contentType: string, body: Buffer | string): void {
    void this.#take(status, contentType, typeof body === 'string' ? Buffer.from(body) : body);
  }

  override sendPieces(
    status: number,
    contentType: string,
    pieces: readonly Buffer[],
    onTaken: () => void,
  ): void {
    const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const taking =
      this.#isAccepted && size > STORED_LIMITS.maxResponseBytes
        ? this.#end((response) => writeFailed(response, TOO_LARGE))
        : this.#take(status, contentType, Buffer.concat(pieces));
    // Its memory is released when it is stored.
    void taking.then(onTaken);
  }

  override destroy(): void {
    if (!this.#isAccepted) super.destroy();
    this.abandon();
  }

  override onDisconnect(): void {
    if (this.#isAccepted || this.#isOver) return;
    this.#withdraw();
    super.onDisconnect();
  }

  /** Never rejects. */
  async #take(status: number, contentType: string, bytes: Buffer): Promise<void> {
    if (this.isDisconnected) return;
    if (this.#isAccepted) {
      const isWhole = status < 400;
      await this.#end(
        (response) => (isWhole ? finish(response, bytes) : writeRefused(response, bytes)),
        isWhole,
      );
      return;
    }
    this.#isOver = true;
    await this.#turn?.release();
    this.exchange.send(status, contentType, bytes);
    this.#withdraw();
  }

  #withdraw(): void {
    this.#isOver = true;
    void this.#turn?.release();
    this.#outcome?.onWithdrawn();
  }

  /** Never rejects. */
  async #end(write: (response: UnfinishedResponse) => Buffer, isWhole = false): Promise<void> {
    if (this.#isOver || this.#response === null) return;
    this.#isOver = true;
    await this.#outcome?.onEnded(write(this.#response), isWhole);
    await this.#turn?.release();
  }
}

function finish(response: UnfinishedResponse, bytes: Buffer): Buffer {
  const finished = writeFinished(response, bytes);
  return finished.length > STORED_LIMITS.maxResponseBytes ? writeFailed(response, TOO_LARGE) : finished;
}
