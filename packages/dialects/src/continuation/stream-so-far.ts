import type { CompletionEvent } from '@tollgate/core/completion/events';
import type { FinishReason } from '@tollgate/core/completion/response';
import { TextMeter } from '../usage/text-meter.ts';

/** The memory for the text of a stream. */
export interface TextMemory {
  /** @returns false if there is no memory for so many UTF-16 units */
  reserve(length: number): boolean;
}

/** What a caller has received of a stream that may have to be continued, as its canonical events say. */
export class StreamSoFar {
  /** All text, in order. */
  text = '';
  /** null: the stream has no start yet. */
  start: Extract<CompletionEvent, { type: 'start' }> | null = null;
  /** The text block that is open; null: none. */
  openBlock: number | null = null;
  /** The number of the next block. */
  nextBlock = 0;
  /** null: the model has not finished. */
  finish: FinishReason | null = null;
  readonly #meter = new TextMeter();
  readonly #maxLength: number;
  readonly #memory: TextMemory;
  /** Reasoning that has not ended. */
  readonly #openReasoning = new Set<number>();
  #isPlain = true;

  /** @param maxLength more text is not kept, in UTF-16 units */
  constructor(memory: TextMemory, maxLength: number) {
    this.#memory = memory;
    this.#maxLength = maxLength;
  }

  /** False: it has more than text and complete reasoning, or too much of it, or no text yet. */
  get isContinuable(): boolean {
    return this.#isPlain && this.#openReasoning.size === 0 && this.text.trim() !== '';
  }

  /** Text and reasoning that the caller has received, in tokens, roughly. */
  get outputTokens(): number {
    return Math.max(this.#meter.pieces, this.#meter.tokens);
  }

  /** It can never be continued. */
  giveUp(): void {
    this.#isPlain = false;
    this.text = '';
  }

  push(event: CompletionEvent): void {
    if (!this.#isPlain) return;
    if ('choice' in event && event.choice !== 0) return this.giveUp();
    switch (event.type) {
      case 'start':
        this.start = event;
        return;
      case 'block_start':
        return this.#open(event.block, event.start.type);
      case 'text_delta':
        return this.#add(event.text);
      case 'block_end':
        if (event.block === this.openBlock) this.openBlock = null;
        this.#openReasoning.delete(event.block);
        return;
      case 'finish':
        this.finish = event.reason;
        return;
      case 'arguments_delta':
      case 'citation':
      case 'logprobs':
        return this.giveUp();
      case 'thinking_delta':
        return this.#meter.add(event.text);
      case 'signature':
      case 'usage':
      case 'ping':
      case 'error':
      case 'end':
    }
  }

  #open(block: number, type: string): void {
    this.nextBlock = Math.max(this.nextBlock, block + 1);
    if (type === 'text') this.openBlock = block;
    else if (type === 'thinking' || type === 'redacted_thinking') this.#openReasoning.add(block);
    else this.giveUp();
  }

  #add(text: string): void {
    if (this.text.length + text.length > this.#maxLength || !this.#memory.reserve(text.length))
      return this.giveUp();
    this.#meter.add(text);
    this.text += text;
  }
}
