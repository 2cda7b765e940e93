import type { CompletionEvent } from '@tollgate/core/completion/events';
import type { TokenLogprob } from '@tollgate/core/completion/response';
import type { ResumedPlace } from '../answer-context.ts';
import type { JsonObject } from '../json/parse-object.ts';
import type { FindTool } from '../portable-tools/called-tools.ts';
import type { EventWriter } from './event-writer.ts';
import type { ItemStatus } from './output-item.ts';
import type { OpenItem, StreamBlock } from './open-block.ts';
import { openBlock } from './stream-block.ts';

type BlockEvent = Extract<CompletionEvent, { block: number }>;

/**
 * Writes the items of a response stream. Calls and reasoning are separate items; texts and refusals that follow one
 * another are parts of one message. The last item is closed late: only the end of the answer shows whether it is whole.
 */
export class ItemWriter {
  readonly #events: EventWriter;
  readonly #stem: string;
  readonly #findTool: FindTool;
  readonly #blocks = new Map<number, StreamBlock>();
  /** Items as they are at their end, by their place. */
  readonly #finished: Map<number, JsonObject>;
  readonly #resumed: ResumedPlace | null;
  #items: number;
  /** The message that a following text belongs to. */
  #message: OpenItem | null = null;
  /** The item that is complete except for its last event. */
  #last: OpenItem | null = null;
  readonly #tokens: TokenLogprob[] = [];
  hasCalls = false;
  hasRefusal = false;

  /** @param resumed null: from the beginning of the stream */
  constructor(
    events: EventWriter,
    stem: string,
    options: { findTool: FindTool; resumed: ResumedPlace | null },
  ) {
    const { findTool, resumed } = options;
    this.#events = events;
    this.#stem = stem;
    this.#findTool = findTool;
    this.#resumed = resumed;
    this.#items = resumed?.index ?? 0;
    this.#finished = new Map(resumed?.items);
  }

  /** The items that are finished, in order. */
  get output(): JsonObject[] {
    return [...this.#finished].toSorted(([a], [b]) => a - b).map(([, item]) => item);
  }

  /** Takes the log probabilities of the text that comes next. */
  expect(tokens: readonly TokenLogprob[]): void {
    this.#tokens.push(...tokens);
  }

  push(event: BlockEvent): void {
    if (event.type === 'block_start') {
      this.#start(event);
      return;
    }
    const block = this.#blocks.get(event.block);
    if (block === undefined) return;
    if (event.type !== 'block_end') {
      block.push(event, event.type === 'text_delta' ? this.#tokens.splice(0) : []);
      return;
    }
    this.#end(event.block, block);
  }

  /** Closes what is still open. @param status of the last item */
  finish(status: Exclude<ItemStatus, 'in_progress'>): void {
    for (const [number, block] of this.#blocks) this.#end(number, block);
    this.#leaveMessage();
    this.#closeLast(status);
  }

  #start(event: Extract<BlockEvent, { type: 'block_start' }>): void {
    const { type } = event.start;
    this.hasCalls ||= type === 'tool_call';
    this.hasRefusal ||= type === 'refusal';
    const isSaid = type === 'text' || type === 'refusal';
    if (!isSaid) this.#leaveMessage();
    const known = isSaid ? this.#message : null;
    const opened = openBlock(event.start, {
      events: this.#events,
      stem: this.#stem,
      index: this.#items,
      message: known,
      messageId: this.#resumed?.index === this.#items ? this.#resumed.itemId : null,
      findTool: this.#findTool,
      beforeItem: () => this.#closeLast('completed'),
    });
    if (opened === null) return;
    if (known === null) this.#items += 1;
    if (isSaid) this.#message = opened.item;
    this.#blocks.set(event.block, opened);
  }

  #end(number: number, block: StreamBlock): void {
    this.#blocks.delete(number);
    block.end();
    const { item } = block;
    item.openBlocks -= 1;
    if (item.openBlocks === 0 && item !== this.#message) this.#isOver(item);
  }

  #leaveMessage(): void {
    const message = this.#message;
    this.#message = null;
    if (message?.openBlocks === 0) this.#isOver(message);
  }

  #isOver(item: OpenItem): void {
    this.#closeLast('completed');
    this.#last = item;
  }

  #closeLast(status: ItemStatus): void {
    const item = this.#last;
    if (item === null) return;
    this.#last = null;
    const whole = item.close(status);
    this.#finished.set(item.index, whole);
    this.#events.event('response.output_item.done', { output_index: item.index, item: whole });
  }
}
