import type { CompletionEvent } from '@tollgate/core/completion/events';
import type { CompletionUsage, FinishReason } from '@tollgate/core/completion/response';
import { getAccountErrorMessage, isAccountError, type ReportedError } from '../account-trouble.ts';
import type { StreamContext } from '../answer-context.ts';
import type { StreamEncoder } from '../stream-codec.ts';
import { BlockWriter } from './block-writer.ts';
import { encodeAnthropicError } from './encode-error.ts';
import { encodeFinish } from './encode-finish.ts';
import { encodeMessageUsage, encodeUsage } from './encode-usage.ts';
import { toMessageId } from './message-id.ts';
import { expectsReasoning, HeldReasoning } from './unrequested-reasoning.ts';
import { PING_EVENT, writeEvent } from './write-event.ts';

/** English text has about four characters to a token. */
const CHARACTERS_PER_TOKEN = 4;

/**
 * Writes a message stream (https://docs.anthropic.com/en/docs/build-with-claude/streaming). `message_start` holds the
 * input tokens that are known or estimated by then, `message_delta` the final counts, so it waits for the end of the
 * provider's stream. An error ends the stream without `message_stop`.
 */
export function createAnthropicStreamEncoder(context: StreamContext): StreamEncoder {
  return new MessageStreamEncoder(context);
}

class MessageStreamEncoder implements StreamEncoder {
  readonly #context: StreamContext;
  readonly #blocks: BlockWriter;
  /** null: the caller expects reasoning where it comes. */
  readonly #reasoning: HeldReasoning | null;
  #hasStarted = false;
  #isOver = false;
  #usage: CompletionUsage | null = null;
  #finish: FinishReason = { type: 'stop' };

  constructor(context: StreamContext) {
    this.#context = context;
    this.#blocks = new BlockWriter(context.requestId, context.resumed?.index);
    this.#reasoning = expectsReasoning(context) ? null : new HeldReasoning();
  }

  push(event: CompletionEvent): string {
    if (this.#isOver) return '';
    switch (event.type) {
      case 'start':
        this.#usage = event.usage;
        return this.#start(event.id);
      case 'block_start':
      case 'text_delta':
      case 'thinking_delta':
      case 'signature':
      case 'arguments_delta':
      case 'citation':
      case 'block_end':
        return event.choice === 0 ? this.#start('') + this.#push(event) : '';
      case 'finish':
        if (event.choice === 0) this.#finish = event.reason;
        return '';
      case 'usage':
        this.#usage = event.usage;
        return '';
      case 'logprobs':
        // A request of this dialect cannot request them.
        return '';
      case 'ping':
        return PING_EVENT;
      case 'error':
        this.#isOver = true;
        return this.#fail(event);
      case 'end':
        return this.#end();
    }
  }

  #push(event: Parameters<BlockWriter['push']>[0]): string {
    if (this.#reasoning === null) return this.#blocks.push(event);
    return this.#reasoning
      .take(event)
      .map((each) => this.#blocks.push(each))
      .join('');
  }

  #fail(reported: ReportedError): string {
    const error = isAccountError(reported)
      ? { kind: 'api_error', message: getAccountErrorMessage(reported) }
      : reported;
    return writeEvent({ ...encodeAnthropicError(error, this.#context.requestId), type: 'error' });
  }

  #start(id: string): string {
    if (this.#hasStarted) return '';
    this.#hasStarted = true;
    const { requestId, model } = this.#context;
    return writeEvent({
      type: 'message_start',
      message: {
        id: toMessageId(id, requestId),
        type: 'message',
        role: 'assistant',
        model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        stop_details: null,
        usage: encodeMessageUsage(this.#usage ?? this.#estimate(), null),
      },
    });
  }

  #end(): string {
    this.#isOver = true;
    const opening = this.#start('') + this.#blocks.closeAll();
    const delta = encodeFinish(this.#finish, this.#blocks);
    const usage = encodeUsage(this.#usage ?? this.#estimate());
    const { continued } = this.#context;
    const said = continued === undefined ? {} : { tollgate: { continued } };
    return (
      opening +
      writeEvent({ type: 'message_delta', delta, usage, ...said }) +
      writeEvent({ type: 'message_stop' })
    );
  }

  /** Used for counts that the provider has not reported. */
  #estimate(): CompletionUsage {
    return {
      inputTokens: this.#context.estimatedInputTokens ?? 0,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: Math.ceil(this.#blocks.characters / CHARACTERS_PER_TOKEN),
      reasoningTokens: null,
      cacheWrite1hTokens: 0,
    };
  }
}
