import type { CompletionEvent } from '@tollgate/core/completion/events';
import { asObject, parseJsonObject, type JsonObject } from '../json/parse-object.ts';
import type { ProviderError } from '../provider-error.ts';
import type { SseEvent } from '../sse/parse-events.ts';
import type { StreamDecoder } from '../stream-codec.ts';
import { decodeAnthropicError } from './decode-error.ts';
import { decodeStopReason } from './decode-finish.ts';
import { decodeRefusal } from './decode-response.ts';
import { getCompletionUsage } from '../usage/completion-usage.ts';
import type { UsageReport } from '../usage/usage-report.ts';
import { decodeAnthropicUsage } from './decode-usage.ts';
import { isMessagesError } from './is-error.ts';
import { createStreamBlocks } from './stream-blocks.ts';

const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** Events of a message: without its start, no client can read them. */
const NEEDS_START: ReadonlySet<unknown> = new Set([
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
]);
const NO_START = 'The provider sent a message without its start.';

/**
 * Reads a message stream (https://docs.anthropic.com/en/docs/build-with-claude/streaming). Nothing follows its end or its
 * error, whatever the provider sends; event types that it does not know are passed over, as the documentation asks.
 */
export function createAnthropicStreamDecoder(): StreamDecoder {
  return new MessageStreamDecoder();
}

class MessageStreamDecoder implements StreamDecoder {
  #blocks = createStreamBlocks();
  report: UsageReport | null = null;
  #hasStarted = false;
  #hasFinished = false;
  #isOver = false;

  push(event: SseEvent): CompletionEvent[] {
    const data = parseJsonObject(event.data);
    if (this.#isOver) return data?.['type'] === 'message_delta' ? this.#readUsage(data) : [];
    if (data === null) return this.#break('The provider sent an event that is not JSON.');
    if (isMessagesError(data, event.event)) {
      return this.#fail(decodeAnthropicError(500, data));
    }
    const type = data['type'] ?? event.event;
    if (!this.#hasStarted && NEEDS_START.has(type)) return this.#break(NO_START);
    switch (type) {
      case 'message_start':
        return this.#start(asObject(data['message']) ?? {});
      case 'content_block_start':
        return this.#blocks.open(data['index'], asObject(data['content_block']) ?? {});
      case 'content_block_delta':
        return this.#blocks.delta(data['index'], asObject(data['delta']) ?? {});
      case 'content_block_stop':
        return this.#blocks.close(data['index']);
      case 'message_delta':
        return this.#change(data);
      case 'message_stop':
        return this.#stop();
      case 'ping':
        return [{ type: 'ping' }];
      default:
        return [];
    }
  }

  finish(): CompletionEvent[] {
    return this.#isOver ? [] : this.#break('The provider closed the stream before the answer was complete.');
  }

  #start(message: JsonObject): CompletionEvent[] {
    if (this.#hasStarted) return [];
    this.#hasStarted = true;
    this.report = decodeAnthropicUsage(message) ?? this.report;
    const { id, model } = { id: undefined, model: undefined, ...message };
    const usage = getCompletionUsage(this.report);
    return [{ type: 'start', id: text(id), model: text(model), createdAt: null, usage }];
  }

  #change(data: JsonObject): CompletionEvent[] {
    const delta = asObject(data['delta']) ?? {};
    const events: CompletionEvent[] = [];
    const reason = delta['stop_reason'];
    if (typeof reason === 'string' && !this.#hasFinished) {
      this.#hasFinished = true;
      events.push(...this.#blocks.closeAll());
      for (const part of decodeRefusal(delta['stop_details'])) {
        if (part.type === 'refusal') events.push(...this.#blocks.whole({ type: 'refusal' }, part.text));
      }
      events.push({ type: 'finish', choice: 0, reason: decodeStopReason(reason, delta['stop_sequence']) });
    }
    return [...events, ...this.#readUsage(data)];
  }

  /** A report that comes after the end is still what is billed. */
  #readUsage(data: JsonObject): CompletionEvent[] {
    const report = decodeAnthropicUsage(data, this.report);
    this.report = report ?? this.report;
    const usage = report === null ? null : getCompletionUsage(report);
    return usage === null ? [] : [{ type: 'usage', usage }];
  }

  #stop(): CompletionEvent[] {
    this.#isOver = true;
    if (this.#hasFinished) return [{ type: 'end' }];
    const reason = { type: this.#blocks.sawToolCall ? ('tool_calls' as const) : ('stop' as const) };
    return [...this.#blocks.closeAll(), { type: 'finish', choice: 0, reason }, { type: 'end' }];
  }

  #break(message: string): CompletionEvent[] {
    return this.#fail({ kind: 'api_error', message, code: null });
  }

  #fail(error: ProviderError): CompletionEvent[] {
    this.#isOver = true;
    return [{ type: 'error', ...error }];
  }
}
