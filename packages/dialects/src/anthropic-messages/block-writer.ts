import type { BlockStart, CompletionEvent } from '@tollgate/core/completion/events';
import { WholeArguments } from '../whole-arguments.ts';
import { encodeBlockStart } from './encode-block-start.ts';
import { encodeCitation } from './encode-citation.ts';
import { toCallId } from './message-id.ts';
import { writeDelta, writeEvent } from './write-event.ts';

type BlockEvent = Extract<CompletionEvent, { block: number }>;
type Delta = Exclude<BlockEvent, { type: 'block_start' | 'block_end' }>;

interface Block {
  start: BlockStart;
  /** Deltas that came before the block's turn. */
  waiting: Delta[];
  hasEnded: boolean;
  /** Its number on the wire; null: it is not open there. */
  index: number | null;
  /** Text so far, for citations; arguments of a call so far, to detect their end. */
  said: string;
  whole: WholeArguments;
  /** The signature of a thinking block has been written. */
  isSigned: boolean;
}

/**
 * Writes the blocks of a stream one after another, as this dialect has them, whichever way they come in. A block whose turn
 * it is relays its deltas immediately; the others wait. A tool call makes room as soon as its arguments are whole,
 * without waiting for its end: other dialects report the ends of parallel calls only when all are done.
 */
export class BlockWriter {
  readonly #requestId: string;
  readonly #blocks = new Map<number, Block>();
  readonly #queue: Block[] = [];
  #written: number;
  /** Characters of text, reasoning and arguments so far. */
  characters = 0;
  hasToolCalls = false;
  hasRefusal = false;

  /** @param firstIndex of the first block that it writes */
  constructor(requestId: string, firstIndex = 0) {
    this.#requestId = requestId;
    this.#written = firstIndex;
  }

  push(event: BlockEvent): string {
    if (event.type === 'block_start') return this.#start(event.block, event.start);
    const block = this.#blocks.get(event.block);
    if (block === undefined) return '';
    if (event.type === 'block_end') {
      block.hasEnded = true;
      this.#blocks.delete(event.block);
      return this.#advance();
    }
    if (block !== this.#queue[0]) {
      // After complete arguments only whitespace can follow.
      if (this.#queue.includes(block)) block.waiting.push(event);
      return '';
    }
    return this.#delta(block, event) + (this.#queue.length > 1 ? this.#advance() : '');
  }

  /** Closes what is still open. */
  closeAll(): string {
    for (const block of this.#queue) block.hasEnded = true;
    return this.#advance();
  }

  #start(number: number, start: BlockStart): string {
    this.hasToolCalls ||= start.type === 'tool_call';
    this.hasRefusal ||= start.type === 'refusal';
    const block: Block = {
      start,
      waiting: [],
      hasEnded: false,
      index: null,
      said: '',
      whole: new WholeArguments(),
      isSigned: false,
    };
    this.#blocks.set(number, block);
    this.#queue.push(block);
    return this.#queue.length === 1 ? this.#take(block) : this.#advance();
  }

  /** Closes the blocks in front that are done, and opens the next. */
  #advance(): string {
    let out = '';
    for (let head = this.#queue[0]; head !== undefined; head = this.#queue[0]) {
      if (!head.hasEnded && !(this.#queue.length > 1 && isWhole(head))) break;
      if (head.index !== null) out += this.#close(head, head.index);
      this.#queue.shift();
      const next = this.#queue[0];
      if (next !== undefined) out += this.#take(next);
    }
    return out;
  }

  /** Clients keep a streamed thinking block by its signature: an unsigned one gets an empty signature. */
  #close({ start, isSigned }: Block, index: number): string {
    const signs = start.type === 'thinking' && !isSigned;
    const signature = signs ? writeDelta(index, 'signature_delta', 'signature', '') : '';
    return signature + writeEvent({ type: 'content_block_stop', index });
  }

  /** It is the block's turn. Text opens with its first word: the dialect has no empty text. */
  #take(block: Block): string {
    const { type } = block.start;
    let out = type === 'text' || type === 'refusal' ? '' : this.#open(block);
    for (const event of block.waiting) out += this.#delta(block, event);
    block.waiting = [];
    return out;
  }

  #open(block: Block): string {
    const callId = toCallId('', this.#requestId, this.#written);
    const contentBlock = encodeBlockStart(block.start, callId);
    if (contentBlock === null) return '';
    block.index = this.#written;
    this.#written += 1;
    return writeEvent({ type: 'content_block_start', index: block.index, content_block: contentBlock });
  }

  #delta(block: Block, event: Delta): string {
    const opening = block.index === null ? this.#open(block) : '';
    if (block.index === null) return '';
    return opening + this.#fragment(block, block.index, event);
  }

  #fragment(block: Block, index: number, event: Delta): string {
    switch (event.type) {
      case 'text_delta':
        this.characters += event.text.length;
        block.said += event.text;
        return writeDelta(index, 'text_delta', 'text', event.text);
      case 'thinking_delta':
        this.characters += event.text.length;
        return writeDelta(index, 'thinking_delta', 'thinking', event.text);
      case 'signature':
        block.isSigned = true;
        return writeDelta(index, 'signature_delta', 'signature', event.signature);
      case 'arguments_delta':
        this.characters += event.json.length;
        block.said += event.json;
        return writeDelta(index, 'input_json_delta', 'partial_json', event.json);
      case 'citation': {
        const citation = encodeCitation(event.citation, { text: block.said });
        const delta = { type: 'citations_delta', citation };
        return writeEvent({ type: 'content_block_delta', index, delta });
      }
    }
  }
}

function isWhole({ start, said, whole }: Block): boolean {
  return start.type === 'tool_call' && whole.check(said);
}
