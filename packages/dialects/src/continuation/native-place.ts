import type { Dialect } from '@tollgate/core/models/dialect';
import { asObject, parseJsonObject, type JsonObject } from '../json/parse-object.ts';
import type { SseEvent } from '../sse/parse-events.ts';

/** The events that end a text, in order. */
const ENDS_OF_TEXT: Record<Dialect, readonly string[]> = {
  'openai-chat': [],
  'anthropic-messages': ['content_block_stop', 'message_delta'],
  'openai-responses': [
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
  ],
};

/** Nearly all events of a stream are deltas, of which only the number is needed. Others have nested types, in any order. */
const IS_DELTA = /"type"\s*:\s*"(?:content_block_delta|response\.[a-z_.]+\.delta)"/;

/** Follows the numbers and ids of a stream that is forwarded as its provider sent it. */
export class NativePlace {
  readonly #dialect: Dialect;
  /** Of the Responses API: the response as its first event has it. */
  response: JsonObject = {};
  readonly items = new Map<number, JsonObject>();
  /** The number of the last event. */
  sequence = -1;
  /** Of the open block or item; of the next one if none is open. */
  index = 0;
  itemId: string | null = null;
  /** How many of the events that end the last text have been sent. */
  ends = 0;
  hasUsage = false;
  /** False: it has something that an encoder does not go on with. */
  isKnown = true;
  #hasMessage = false;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  push({ event: name, data }: SseEvent): void {
    if (this.#dialect === 'openai-chat') {
      this.hasUsage ||= /"usage"\s*:\s*\{/.test(data);
      if (/"finish_reason"\s*:\s*"/.test(data)) this.ends = 1;
      return;
    }
    const number = /"sequence_number"\s*:\s*(\d+)/.exec(data)?.[1];
    if (number !== undefined) this.sequence = Number(number);
    if (IS_DELTA.test(data)) return;
    const parsed = parseJsonObject(data);
    if (parsed === null) return;
    const type = typeof parsed['type'] === 'string' ? parsed['type'] : (name ?? '');
    const end = ENDS_OF_TEXT[this.#dialect].indexOf(type);
    if (end >= 0) this.ends = end + 1;
    this.#read(type, parsed);
  }

  #read(type: string, event: JsonObject): void {
    switch (type) {
      case 'content_block_start':
        this.index = Number(event['index']);
        this.ends = 0;
        return;
      case 'response.created':
        this.response = asObject(event['response']) ?? {};
        return;
      case 'response.output_item.added': {
        const { id, type: kind } = { id: null, type: null, ...asObject(event['item']) };
        if (kind === 'message') this.isKnown &&= !this.#hasMessage;
        this.#hasMessage ||= kind === 'message';
        this.index = Number(event['output_index']);
        this.itemId = typeof id === 'string' ? id : null;
        this.ends = 0;
        return;
      }
      case 'response.content_part.added':
        if (event['content_index'] !== 0) this.isKnown = false;
        return;
      case 'response.output_item.done':
        this.items.set(Number(event['output_index']), asObject(event['item']) ?? {});
    }
  }
}
