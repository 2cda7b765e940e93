import type { BlockStart, CompletionEvent } from '@tollgate/core/completion/events';
import { FieldReader } from '../json/field-reader.ts';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { decodeTokenLogprobs } from '../openai-chat/logprobs.ts';
import { nameCall } from '../openai-chat/name-call.ts';
import { decodeAnnotation } from './annotations.ts';
import { callOfItem } from '../portable-tools/call-of-item.ts';
import { decodeOutputItem } from './decode-output-item.ts';
import { decodeReasoningItem, SUMMARY_SEPARATOR, getReasoningPart } from './reasoning-item.ts';

interface Block {
  number: number;
  start: BlockStart;
  /** Its text so far: empty for providers that send an item whole at its end. */
  said: string;
  /** For reasoning: the part of its summary that the last delta was of. */
  part: unknown;
  isCited: boolean;
}

const asString = (value: unknown) => (typeof value === 'string' ? value : '');
const getKey = (value: unknown) => (typeof value === 'number' ? String(value) : asString(value));

/**
 * Follows the items of a response stream. A part of a message, a call and a reasoning item are one block each, which opens
 * with the first event that is about it; everything else comes whole when it is done.
 */
export class StreamItems {
  readonly #responseId: () => string;
  readonly #open = new Map<string, Block>();
  readonly #done = new Set<string>();
  #events: CompletionEvent[] = [];
  #blocks = 0;
  hasCalls = false;
  hasRefusal = false;

  constructor(responseId: () => string) {
    this.#responseId = responseId;
  }

  /** Reads one event that is about an item, or passes it over. */
  push(event: JsonObject): CompletionEvent[] {
    this.#read(event);
    return this.#take();
  }

  /**
   * Closes what is open, and reads what has only come now.
   * @param output the items as the end of the stream lists them
   */
  finish(output: unknown): CompletionEvent[] {
    const items: unknown[] = Array.isArray(output) ? output : [];
    for (const [index, given] of items.entries()) {
      const item = asObject(given);
      // Items are identified by their place, or by their id if the provider does not send the place.
      if (item === null || this.#done.has(asString(item['id']))) continue;
      this.#finishItem(String(index), item);
    }
    for (const key of this.#open.keys()) this.#close(key);
    return this.#take();
  }

  #take(): CompletionEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #read(event: JsonObject): void {
    const item = getKey(event['output_index'] ?? event['item_id'] ?? asObject(event['item'])?.['id']);
    const content = `${item}.${getKey(event['content_index'] ?? 0)}`;
    const delta = asString(event['delta']);
    switch (event['type']) {
      case 'response.output_item.added':
        this.#addItem(item, asObject(event['item']) ?? {});
        break;
      case 'response.output_item.done':
        this.#finishItem(item, asObject(event['item']) ?? {});
        break;
      case 'response.output_text.delta':
        this.#tokens(event['logprobs']);
        this.#text(content, 'text', delta);
        break;
      case 'response.refusal.delta':
        this.#text(content, 'refusal', delta);
        break;
      case 'response.output_text.annotation.added':
        this.#cite(content, asObject(event['annotation']));
        break;
      case 'response.content_part.done':
        this.#finishPart(content, asObject(event['part']) ?? {});
        break;
      case 'response.function_call_arguments.delta':
        this.#arguments(item, delta);
        break;
      case 'response.reasoning_summary_text.delta':
        this.#think(item, event['summary_index'], delta);
        break;
      case 'response.reasoning_text.delta':
        this.#think(item, event['content_index'], delta);
        break;
    }
  }

  #addItem(key: string, item: JsonObject): void {
    if (item['type'] !== 'function_call' || this.#open.has(key)) return;
    const given = asString(item['call_id']);
    const id = given === '' ? nameCall(this.#responseId(), 0, this.#blocks) : given;
    this.#start(key, { type: 'tool_call', id, name: asString(item['name']) });
    this.#arguments(key, asString(item['arguments']));
  }

  #finishItem(key: string, item: JsonObject): void {
    if (this.#done.has(key)) return;
    this.#done.add(key);
    if (typeof item['id'] === 'string') this.#done.add(item['id']);
    switch (item['type']) {
      case 'message': {
        const parts: unknown[] = Array.isArray(item['content']) ? item['content'] : [];
        for (const [index, part] of parts.entries())
          this.#finishPart(`${key}.${index}`, asObject(part) ?? {});
        break;
      }
      case 'function_call':
        this.#addItem(key, item);
        if (this.#open.get(key)?.said === '') this.#arguments(key, asString(item['arguments']));
        this.#close(key);
        break;
      case 'reasoning':
        this.#finishReasoning(key, item);
        break;
      default:
        this.#finishOther(key, item);
    }
  }

  /** The call of a custom tool becomes that of a function, with all of its input. */
  #finishOther(key: string, item: JsonObject): void {
    const call = callOfItem(item);
    if (call !== null) {
      this.#start(key, { type: 'tool_call', id: call.id, name: call.name });
      this.#arguments(key, call.arguments);
    } else
      for (const part of decodeOutputItem(item, '', new FieldReader()))
        if (part.type === 'opaque') this.#start(key, { type: 'opaque', part });
    this.#close(key);
  }

  /** Its end contains what the deltas lacked: with some providers all of it. */
  #finishPart(key: string, part: JsonObject): void {
    if (this.#done.has(key)) return;
    const isText = part['type'] === 'output_text';
    if (!isText && part['type'] !== 'refusal') return;
    const open = this.#open.get(key);
    if (open === undefined || open.said === '') {
      this.#tokens(part['logprobs']);
      this.#text(key, isText ? 'text' : 'refusal', asString(isText ? part['text'] : part['refusal']));
    }
    const annotations: unknown = part['annotations'];
    if (this.#open.get(key)?.isCited === false && Array.isArray(annotations))
      for (const annotation of annotations) this.#cite(key, asObject(annotation));
    this.#close(key);
    this.#done.add(key);
  }

  /** The signature is only known at the end; hidden reasoning consists of its signature. */
  #finishReasoning(key: string, item: JsonObject): void {
    const said = this.#open.get(key)?.said;
    const reasoning =
      said === undefined
        ? decodeReasoningItem(item)
        : getReasoningPart(said, item['encrypted_content'], item['id']);
    if (reasoning?.type === 'redacted_thinking') this.#start(key, { ...reasoning });
    if (reasoning?.type === 'thinking') {
      const block = this.#open.get(key) ?? this.#start(key, { type: 'thinking' });
      if (said === undefined) this.#think(key, block.part, reasoning.text);
      const { signature } = reasoning;
      if (signature !== null)
        this.#events.push({ type: 'signature', choice: 0, block: block.number, signature });
    }
    this.#close(key);
  }

  #text(key: string, type: 'text' | 'refusal', text: string): void {
    if (text === '' || this.#done.has(key)) return;
    const block = this.#open.get(key) ?? this.#start(key, { type });
    block.said += text;
    this.#events.push({ type: 'text_delta', choice: 0, block: block.number, text });
  }

  #tokens(logprobs: unknown): void {
    const tokens = decodeTokenLogprobs(logprobs);
    if (tokens.length > 0) this.#events.push({ type: 'logprobs', choice: 0, tokens });
  }

  #cite(key: string, annotation: JsonObject | null): void {
    const block = this.#open.get(key);
    if (block?.start.type !== 'text' || annotation === null) return;
    block.isCited = true;
    const citation = decodeAnnotation(annotation);
    this.#events.push({ type: 'citation', choice: 0, block: block.number, citation });
  }

  #arguments(key: string, json: string): void {
    const block = this.#open.get(key);
    if (json === '' || block === undefined) return;
    block.said += json;
    this.#events.push({ type: 'arguments_delta', choice: 0, block: block.number, json });
  }

  #think(key: string, part: unknown, text: string): void {
    if (text === '') return;
    const block = this.#open.get(key) ?? this.#start(key, { type: 'thinking' });
    const delta = block.said !== '' && block.part !== part ? SUMMARY_SEPARATOR + text : text;
    block.part = part;
    block.said += delta;
    this.#events.push({ type: 'thinking_delta', choice: 0, block: block.number, text: delta });
  }

  #start(key: string, start: BlockStart): Block {
    const block: Block = { number: this.#blocks, start, said: '', part: null, isCited: false };
    this.#blocks += 1;
    this.hasCalls ||= start.type === 'tool_call';
    this.hasRefusal ||= start.type === 'refusal';
    this.#open.set(key, block);
    this.#events.push({ type: 'block_start', choice: 0, block: block.number, start });
    return block;
  }

  #close(key: string): void {
    const block = this.#open.get(key);
    if (block === undefined) return;
    this.#open.delete(key);
    this.#events.push({ type: 'block_end', choice: 0, block: block.number });
  }
}
