import type { CompletionEvent } from '@tollgate/core/completion/events';
import type { TokenLogprob } from '@tollgate/core/completion/response';
import type { JsonObject } from '../json/parse-object.ts';
import type { FindTool } from '../portable-tools/called-tools.ts';
import type { EventWriter } from './event-writer.ts';
import type { ItemStatus } from './output-item.ts';

type Delta = Exclude<
  Extract<CompletionEvent, { block: number }>,
  { type: 'block_start' } | { type: 'block_end' }
>;

/** An item of a stream that has not been closed. */
export interface OpenItem {
  index: number;
  id: string;
  /** Blocks that still write into it. */
  openBlocks: number;
  /** Of a message: its parts that are over, by their place. */
  content: JsonObject[];
  /** How many parts it has. */
  parts: number;
  /** @returns the item as it is at its end */
  close(status: ItemStatus): JsonObject;
}

/** A canonical block: a whole item, or a part of a message. */
export interface StreamBlock {
  item: OpenItem;
  /** @param tokens the log probabilities of a text */
  push(delta: Delta, tokens: readonly TokenLogprob[]): void;
  /** Writes all but the end of the item. */
  end(): void;
}

export interface BlockPlace {
  events: EventWriter;
  /** The common part of ids. */
  stem: string;
  /** The place of a new item. */
  index: number;
  /** The message that the block continues; null: a new item. */
  message: OpenItem | null;
  /** The id of a new message; null: it gets one. */
  messageId: string | null;
  findTool: FindTool;
  /** Called before a new item is opened. */
  beforeItem: () => void;
}
