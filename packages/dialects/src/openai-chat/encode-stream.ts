import type { CompletionEvent } from '@tollgate/core/completion/events';
import type { CompletionUsage } from '@tollgate/core/completion/response';
import type { StreamContext } from '../answer-context.ts';
import { PING_LINE } from '../sse/ping.ts';
import type { StreamEncoder } from '../stream-codec.ts';
import { getCustomNames } from '../portable-tools/chat-custom.ts';
import { EncodedChoice } from './encode-stream-choice.ts';
import { wantsLegacyCall } from './legacy-call.ts';
import { encodeStreamError } from './encode-stream-error.ts';
import { encodeOpenAiUsage } from './encode-usage.ts';

/**
 * Writes a streamed chat completion, one chunk for each delta. Usage comes last, in a chunk without choices, if the
 * caller requested it; an error is not followed by `[DONE]`.
 */
export function createOpenAiChatStreamEncoder(context: StreamContext): StreamEncoder {
  return new ChatStreamEncoder(context);
}

class ChatStreamEncoder implements StreamEncoder {
  readonly #context: StreamContext;
  readonly #customNames: ReadonlySet<string>;
  readonly #choices = new Map<number, EncodedChoice>();
  #head = '';
  #isOver = false;
  #usage: CompletionUsage | null = null;

  constructor(context: StreamContext) {
    this.#context = context;
    this.#customNames = getCustomNames(context.requestBody);
    this.#begin('', null);
  }

  push(event: CompletionEvent): string {
    if (this.#isOver) return '';
    this.#isOver = event.type === 'error' || event.type === 'end';
    switch (event.type) {
      case 'start':
        this.#begin(event.id, event.createdAt);
        this.#usage = event.usage;
        return '';
      case 'usage':
        this.#usage = event.usage;
        return '';
      case 'ping':
        return PING_LINE;
      case 'error':
        return encodeStreamError(event);
      case 'end':
        return `${this.#usageChunk()}data: [DONE]\n\n`;
      default:
        return this.#choice(event.choice)
          .push(event)
          .map((choice) => this.#chunk(choice, event.type === 'finish' && event.choice === 0))
          .join('');
    }
  }

  #begin(id: string, createdAt: number | null): void {
    const { requestId, nowSeconds, model } = this.#context;
    const envelope = {
      id: id === '' ? requestId : id,
      object: 'chat.completion.chunk',
      created: createdAt ?? nowSeconds,
      model,
    };
    // Written once: most chunks differ only in a few characters of their choice.
    this.#head = `data: ${JSON.stringify(envelope).slice(0, -1)},"choices":[`;
  }

  #choice(index: number): EncodedChoice {
    const known = this.#choices.get(index);
    if (known !== undefined) return known;
    const choice = new EncodedChoice(index, this.#customNames, wantsLegacyCall(this.#context.requestBody));
    this.#choices.set(index, choice);
    return choice;
  }

  #chunk(choice: string, isLast: boolean): string {
    const continued = isLast ? writeContinued(this.#context) : '';
    return `${this.#head}${choice}]${this.#context.wantsStreamUsage ? ',"usage":null' : ''}${continued}}\n\n`;
  }

  #usageChunk(): string {
    if (!this.#context.wantsStreamUsage || this.#usage === null) return '';
    return `${this.#head}],"usage":${JSON.stringify(encodeOpenAiUsage(this.#usage))}}\n\n`;
  }
}

function writeContinued({ continued }: StreamContext): string {
  return continued === undefined ? '' : `,"tollgate":${JSON.stringify({ continued })}`;
}
