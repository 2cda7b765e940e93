import type { CompletionEvent } from '@tollgate/core/completion/events';
import type { CompletionUsage, FinishReason } from '@tollgate/core/completion/response';
import type { ReportedError } from '../account-trouble.ts';
import type { StreamContext } from '../answer-context.ts';
import type { JsonObject } from '../json/parse-object.ts';
import type { StreamEncoder } from '../stream-codec.ts';
import { getCalledTools } from '../portable-tools/called-tools.ts';
import { CarriedItems } from './carried/carried-items.ts';
import { createCarrier } from './carried/carrier.ts';
import { encodeEnvelope, idStem, type AnswerHead } from './envelope.ts';
import { encodeResponseError, encodeStreamErrorEvent } from './encode-stream-error.ts';
import { encodeOpenAiResponsesUsage } from './encode-usage.ts';
import { EventWriter } from './event-writer.ts';
import { encodeFinish } from './finish.ts';
import { ItemWriter } from './item-writer.ts';

/**
 * Writes a response stream (https://platform.openai.com/docs/api-reference/responses-streaming): each delta immediately,
 * and at the end the whole response with the same content. An error ends the stream with `error` and `response.failed`.
 */
export function createOpenAiResponsesStreamEncoder(context: StreamContext): StreamEncoder {
  return new ResponseStreamEncoder(context);
}

class ResponseStreamEncoder implements StreamEncoder {
  readonly #context: StreamContext;
  readonly #events = new EventWriter();
  readonly #items: ItemWriter;
  #head: AnswerHead | null = null;
  #isOver = false;
  #usage: CompletionUsage | null = null;
  #finish: FinishReason = { type: 'stop' };

  constructor(context: StreamContext) {
    this.#context = context;
    this.#items = new ItemWriter(this.#events, idStem(context.requestId), {
      findTool: getCalledTools(context.requestBody),
      resumed: context.resumed ?? null,
    });
  }

  continueAt(number: number): void {
    this.#events.take();
    this.#events.continueAt(number);
  }

  push(event: CompletionEvent): string {
    if (this.#isOver) return '';
    this.#write(event);
    return this.#events.take();
  }

  #write(event: CompletionEvent): void {
    switch (event.type) {
      case 'start':
        this.#usage = event.usage;
        this.#start(event);
        break;
      case 'usage':
        this.#usage = event.usage;
        break;
      case 'ping':
        this.#events.ping();
        break;
      case 'finish':
        if (event.choice !== 0) break;
        this.#finish = event.reason;
        this.#items.finish(encodeFinish(event.reason, this.#items).status);
        break;
      case 'error':
        this.#fail(event);
        break;
      case 'end':
        this.#end();
        break;
      case 'logprobs':
        if (event.choice === 0) this.#items.expect(event.tokens);
        break;
      default:
        if (event.choice !== 0) break;
        this.#start(null);
        this.#items.push(event);
    }
  }

  #start(head: AnswerHead | null): AnswerHead {
    if (this.#head !== null) return this.#head;
    this.#head = head ?? { id: '', createdAt: null };
    const response = { ...this.#envelope(), status: 'in_progress', output: [] };
    this.#events.event('response.created', { response });
    this.#events.event('response.in_progress', { response });
    return this.#head;
  }

  #envelope(): JsonObject {
    const { resumed } = this.#context;
    return resumed?.response ?? encodeEnvelope(this.#head ?? { id: '', createdAt: null }, this.#context);
  }

  #end(): void {
    this.#isOver = true;
    this.#start(null);
    const finish = encodeFinish(this.#finish, this.#items);
    this.#items.finish(finish.status);
    if (this.#context.carriesItems === true) this.#carryItems();
    const { continued } = this.#context;
    const said = continued === undefined ? {} : { tollgate: { continued } };
    const response = { ...this.#envelope(), ...finish, ...this.#made(), ...said };
    this.#events.event(`response.${finish.status}`, { response });
  }

  /** Only in events: the whole response contains what the model made. */
  #carryItems(): void {
    const { output } = this.#items;
    const items = new CarriedItems();
    for (const item of output) items.add(item);
    const item = createCarrier(items, idStem(this.#context.requestId));
    if (item === null) return;
    const added = { output_index: output.length, item };
    this.#events.event('response.output_item.added', added);
    this.#events.event('response.output_item.done', added);
  }

  #fail(reported: ReportedError): void {
    this.#isOver = true;
    this.#start(null);
    this.#events.event('error', encodeStreamErrorEvent(reported));
    const error = encodeResponseError(reported);
    const response = { ...this.#envelope(), status: 'failed', error, ...this.#made() };
    this.#events.event('response.failed', { response });
  }

  /** Output and usage so far. */
  #made(): JsonObject {
    const usage = this.#usage === null ? {} : { usage: encodeOpenAiResponsesUsage(this.#usage) };
    return { output: this.#items.output, ...usage };
  }
}
