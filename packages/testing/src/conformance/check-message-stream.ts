import type { Message, RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import type { StreamExpectation } from './check-chat-stream.ts';
import { checkCounts } from './check-counts.ts';
import { checkMessageRules, checkMessageStreamEvent } from './check-message.ts';
import { parseData, parseSse } from './parse-sse.ts';

type Block = Message['content'][number];
type Delta = Extract<RawMessageStreamEvent, { type: 'content_block_delta' }>['delta'];

/** The valid deltas of each block type; other blocks have none. */
const DELTAS: Readonly<Record<string, readonly Delta['type'][]>> = {
  text: ['text_delta', 'citations_delta'],
  thinking: ['thinking_delta', 'signature_delta'],
  tool_use: ['input_json_delta'],
  server_tool_use: ['input_json_delta'],
};

/**
 * Checks a whole message stream against the Anthropic SDK's types and the order that clients expect: `message_start`, then
 * blocks one after another, each opened, filled with matching deltas and closed, then `message_delta` and `message_stop`.
 * The assembled message must conform too.
 * @returns the error messages; empty: it conforms
 */
export function checkMessageStream(body: string, { ending }: Pick<StreamExpectation, 'ending'>): string[] {
  const { events, violations } = parseSse(body);
  const parsed = events.map(({ data }) => parseData(data));
  for (const [place, event] of parsed.entries()) {
    if (events[place]?.name !== event?.['type']) violations.push(`event ${place}: its name is not its type`);
    violations.push(...checkMessageStreamEvent(event).map((violation) => `event ${place}: ${violation}`));
  }
  if (violations.length > 0) return violations;
  const types = parsed.map((event) => event?.['type']);
  const end = ending === 'whole' ? 'message_stop' : 'error';
  if (
    types.filter((type) => type === 'message_stop' || type === 'error').length !== 1 ||
    types.at(-1) !== end
  )
    return [`the stream: must end with ${end}`];
  const walk = new MessageWalk();
  const inOrder = parsed.filter((event) => event?.['type'] !== 'ping' && event?.['type'] !== 'error');
  for (const event of inOrder) walk.take(event as unknown as RawMessageStreamEvent);
  return ending === 'whole' ? [...walk.violations, ...walk.checkEnd()] : walk.violations;
}

class MessageWalk {
  readonly violations: string[] = [];
  #message: Message | null = null;
  #open: { block: Block; json: string } | null = null;
  #hasDelta = false;

  take(event: RawMessageStreamEvent): void {
    if ((event.type === 'message_start') !== (this.#message === null))
      this.#blame('message_start must be first');
    if (event.type.startsWith('content_block') && this.#hasDelta)
      this.#blame('a block comes after message_delta');
    switch (event.type) {
      case 'message_start':
        if (event.message.content.length > 0) this.#blame('message_start has content');
        this.violations.push(...checkCounts('message_start.usage', event.message.usage));
        this.#message = structuredClone(event.message);
        break;
      case 'content_block_start':
        if (this.#open !== null) this.#blame(`block ${event.index} opens inside another`);
        if (event.index !== this.#message?.content.length)
          this.#blame(`block ${event.index} is out of order`);
        this.#open = { block: structuredClone(event.content_block), json: '' };
        this.#message?.content.push(this.#open.block);
        break;
      case 'content_block_delta':
        this.#fill(event.index, event.delta);
        break;
      case 'content_block_stop':
        this.#close(event.index);
        break;
      case 'message_delta': {
        if (this.#open !== null) this.#blame('message_delta comes before a block is closed');
        if (this.#hasDelta) this.#blame('message_delta comes twice');
        this.#hasDelta = true;
        const counts = Object.entries(event.usage).filter(([, count]) => count !== null);
        if (this.#message !== null) {
          Object.assign(this.#message, event.delta);
          Object.assign(this.#message.usage, Object.fromEntries(counts));
        }
        break;
      }
      case 'message_stop':
        if (!this.#hasDelta) this.#blame('message_stop comes without message_delta');
    }
  }

  checkEnd(): string[] {
    return this.#message === null ? ['message_start: must be there'] : checkMessageRules(this.#message);
  }

  #blame(violation: string): void {
    this.violations.push(`the order: ${violation}`);
  }

  #fill(index: number, delta: Delta): void {
    const open = this.#open;
    if (open === null || index !== (this.#message?.content.length ?? 0) - 1) {
      this.#blame(`a delta is for block ${index}, which is not open`);
      return;
    }
    const { block } = open;
    if (DELTAS[block.type]?.includes(delta.type) !== true)
      this.#blame(`${delta.type} does not fit a block of ${block.type}`);
    if (delta.type === 'text_delta' && block.type === 'text') block.text += delta.text;
    if (delta.type === 'citations_delta' && block.type === 'text')
      block.citations = [...(block.citations ?? []), delta.citation];
    if (delta.type === 'input_json_delta') open.json += delta.partial_json;
  }

  #close(index: number): void {
    const open = this.#open;
    this.#open = null;
    if (open === null || index !== (this.#message?.content.length ?? 0) - 1) {
      this.#blame(`block ${index} is closed, and is not open`);
      return;
    }
    // The SDK accepts input cut off by a limit; the parsed part must be an object.
    const input = parseData(open.json);
    if (open.block.type === 'tool_use' && input !== null) open.block.input = input;
  }
}
