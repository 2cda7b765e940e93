import type { CompletionEvent } from '@tollgate/core/completion/events';
import type { CompletionUsage } from '@tollgate/core/completion/response';
import type { GatewayError } from '@tollgate/core/errors/errors';
import { Seam, type SeamRules } from '@tollgate/dialects/continuation/seam';
import type { StreamSoFar } from '@tollgate/dialects/continuation/stream-so-far';
import type { StreamEncoder } from '@tollgate/dialects/stream-codec';
import { UNREADABLE_ANSWER } from '../upstream-failure.ts';

/** Longer text that is held back is a repetition, which is awaited. */
const MAX_UNDECIDED = 64;

type BlockEvent = Extract<CompletionEvent, { block: number }>;

/** Numbers the blocks of a continuation after those of the stream, and joins its text to the text block that is open. */
export class JoinedBlocks {
  readonly #encoder: StreamEncoder;
  readonly #soFar: StreamSoFar;
  readonly #seam: Seam;
  /** The numbers of the continuation's blocks in the stream. Others are not sent. */
  readonly #numbers = new Map<number, number>();
  /** The continuation's block that goes on with the open text block; null: none yet. */
  #joined: number | null = null;
  /** UTF-16 units that were held back when it was last checked. */
  #heldBefore = 0;
  /** The continuation cannot be joined. */
  error: GatewayError | null = null;

  constructor(encoder: StreamEncoder, soFar: StreamSoFar, rules: SeamRules) {
    this.#encoder = encoder;
    this.#soFar = soFar;
    this.#seam = new Seam(soFar.text, rules);
  }

  /** Tokens of the continuation that the caller does not get. */
  get withheldTokens(): number {
    return this.#seam.withheldTokens;
  }

  /** @returns events for the caller */
  push(event: CompletionEvent): string {
    switch (event.type) {
      case 'block_start':
        return this.#start(event);
      case 'text_delta':
      case 'arguments_delta':
      case 'thinking_delta':
      case 'signature':
      case 'block_end':
        return this.#pushBlock(event);
      case 'finish':
        return this.#flush() + this.#send(event);
      case 'start':
      case 'ping':
      case 'usage':
      case 'citation':
      case 'logprobs':
      case 'error':
      case 'end':
        return '';
    }
  }

  /** Ends the stream. */
  end(usage: CompletionUsage): string {
    return this.#encoder.push({ type: 'usage', usage }) + this.#send({ type: 'end' });
  }

  ping(): string {
    return this.#encoder.push({ type: 'ping' });
  }

  /** Called every few seconds: sends text that is held back if none came since, unless it is clearly a repetition. */
  hurry(): string {
    const { heldLength } = this.#seam;
    const isSlow = heldLength > 0 && heldLength === this.#heldBefore && heldLength < MAX_UNDECIDED;
    this.#heldBefore = heldLength;
    return isSlow ? this.#flush() : '';
  }

  #start(event: Extract<BlockEvent, { type: 'block_start' }>): string {
    const { type } = event.start;
    const open = this.#soFar.openBlock;
    if (type === 'thinking' || type === 'redacted_thinking') return '';
    if (type === 'refusal' || type === 'opaque') {
      this.error = UNREADABLE_ANSWER;
      return '';
    }
    if (type === 'text' && this.#joined === null && open !== null) {
      this.#joined = event.block;
      this.#numbers.set(event.block, open);
      return '';
    }
    const before = this.#flush() + this.#close(open);
    const block = this.#soFar.nextBlock;
    this.#numbers.set(event.block, block);
    return before + this.#send({ ...event, block });
  }

  #close(block: number | null): string {
    return block === null ? '' : this.#send({ type: 'block_end', choice: 0, block });
  }

  #pushBlock(event: Exclude<BlockEvent, { type: 'block_start' }>): string {
    const block = this.#numbers.get(event.block);
    if (block === undefined) return '';
    if (event.block !== this.#joined) return this.#send({ ...event, block });
    if (event.type === 'text_delta') return this.#sendText(this.#seam.push(event.text));
    return event.type === 'block_end' ? this.#flush() + this.#close(this.#soFar.openBlock) : '';
  }

  #flush(): string {
    return this.#sendText(this.#seam.decide());
  }

  #sendText(text: string): string {
    if (this.#seam.isBroken) this.error = UNREADABLE_ANSWER;
    const block = this.#soFar.openBlock;
    if (text === '' || block === null || this.error !== null) return '';
    return this.#send({ type: 'text_delta', choice: 0, block, text });
  }

  #send(event: CompletionEvent): string {
    this.#soFar.push(event);
    return this.#encoder.push(event);
  }
}
