import { isDeepStrictEqual } from 'node:util';
import type { ResponseOutputItem, ResponseStreamEvent } from 'openai/resources/responses/responses';

/** The events of one output item. */
export type ItemEvent = Extract<ResponseStreamEvent, { output_index: number }>;

interface Item {
  id: string;
  isOpen: boolean;
  /** The joined deltas, by target: `content.0`, `summary.1`, `arguments`. */
  said: Map<string, string>;
  /** Opened parts, in order, and closed parts. */
  parts: string[];
  closed: Set<string>;
}

/** Tracks the items of a streamed response, and records events out of order or contradicting earlier ones. */
export class ResponseItemWalk {
  readonly violations: string[] = [];
  readonly done: ResponseOutputItem[] = [];
  readonly #items: Item[] = [];

  take(event: ItemEvent): void {
    if (event.type === 'response.output_item.added') {
      if (event.output_index !== this.#items.length)
        this.#blame(`item ${event.output_index} is out of order`);
      const id = event.item.id ?? '';
      this.#items.push({ id, isOpen: true, said: new Map(), parts: [], closed: new Set() });
      return;
    }
    const item = this.#items[event.output_index];
    if (item?.isOpen !== true) {
      this.#blame(`${event.type} is for item ${event.output_index}, which is not open`);
      return;
    }
    const id = getId(event) ?? item.id;
    if (id !== item.id) this.#blame(`${event.type} calls item ${event.output_index} ${id}`);
    if (event.type === 'response.output_item.done') this.#finish(item, event.item, event.output_index);
    else this.#fill(item, event);
  }

  /** @returns the errors at the end of a stream: items still open */
  checkEnd(): string[] {
    return this.#items.flatMap((item, index) => (item.isOpen ? [`the order: item ${index} stays open`] : []));
  }

  #fill(item: Item, event: Exclude<ItemEvent, { item: unknown }>): void {
    switch (event.type) {
      case 'response.content_part.added':
        return this.#open(item, 'content', event.content_index);
      case 'response.reasoning_summary_part.added':
        return this.#open(item, 'summary', event.summary_index);
      case 'response.output_text.delta':
      case 'response.refusal.delta':
      case 'response.reasoning_text.delta':
        return this.#say(item, `content.${event.content_index}`, event.delta);
      case 'response.reasoning_summary_text.delta':
        return this.#say(item, `summary.${event.summary_index}`, event.delta);
      case 'response.function_call_arguments.delta':
        item.said.set('arguments', (item.said.get('arguments') ?? '') + event.delta);
        return;
      case 'response.output_text.done':
      case 'response.reasoning_text.done':
        return this.#compare(item, `content.${event.content_index}`, event.text);
      case 'response.refusal.done':
        return this.#compare(item, `content.${event.content_index}`, event.refusal);
      case 'response.reasoning_summary_text.done':
        return this.#compare(item, `summary.${event.summary_index}`, event.text);
      case 'response.function_call_arguments.done':
        return this.#compare(item, 'arguments', event.arguments);
      case 'response.content_part.done':
        return this.#close(item, `content.${event.content_index}`, event.part);
      case 'response.reasoning_summary_part.done':
        return this.#close(item, `summary.${event.summary_index}`, event.part);
      default:
        // Events of hosted tools and annotations, which the finished item repeats.
        return;
    }
  }

  #open(item: Item, list: 'content' | 'summary', index: number): void {
    if (index !== item.parts.filter((part) => part.startsWith(list)).length)
      this.#blame(`${list}.${index} is out of order`);
    item.parts.push(`${list}.${index}`);
  }

  #say(item: Item, part: string, text: string): void {
    if (!item.parts.includes(part) || item.closed.has(part))
      this.#blame(`a delta is for ${part}, which is not open`);
    item.said.set(part, (item.said.get(part) ?? '') + text);
  }

  #compare(item: Item, part: string, text: string): void {
    const said = item.said.get(part) ?? '';
    if (text !== said)
      this.#blame(`${part} ends as ${JSON.stringify(text)}, its deltas said ${JSON.stringify(said)}`);
  }

  #close(item: Item, name: string, part: object): void {
    if (!item.parts.includes(name) || item.closed.has(name))
      this.#blame(`${name} is closed, and is not open`);
    item.closed.add(name);
    this.#compare(item, name, getText(part));
  }

  #finish(item: Item, finished: ResponseOutputItem, index: number): void {
    item.isOpen = false;
    this.done.push(finished);
    if (item.parts.some((part) => !item.closed.has(part)))
      this.#blame(`item ${index} is closed before its parts`);
    const parts = finished.type === 'message' ? finished.content.map(getText) : [];
    const said = item.parts.map((part) => item.said.get(part) ?? '');
    if (finished.type === 'message' && !isDeepStrictEqual(parts, said))
      this.#blame(`item ${index} does not hold what its parts said`);
    if (finished.type === 'reasoning') {
      const texts = [...finished.summary, ...(finished.content ?? [])].map(getText);
      if (!isDeepStrictEqual(texts.toSorted(), said.toSorted()))
        this.#blame(`item ${index} does not hold its reasoning`);
    }
    if (finished.type === 'function_call') this.#compare(item, 'arguments', finished.arguments);
  }

  #blame(violation: string): void {
    this.violations.push(`the order: ${violation}`);
  }
}

/** @returns null if the event names no item */
function getId(event: ItemEvent): string | null {
  if ('item' in event) return event.item.id ?? '';
  return 'item_id' in event ? event.item_id : null;
}

function getText(part: object): string {
  if ('text' in part && typeof part.text === 'string') return part.text;
  return 'refusal' in part && typeof part.refusal === 'string' ? part.refusal : '';
}
