import type { CompletionEvent } from '@tollgate/core/completion/events';
import { asObject, parseJsonObject, type JsonObject } from '../json/parse-object.ts';
import type { SseEvent } from '../sse/parse-events.ts';
import type { StreamDecoder } from '../stream-codec.ts';
import { decodeOpenAiResponsesStreamError } from './decode-error.ts';
import { getCreatedAt } from './decode-response.ts';
import { getCompletionUsage } from '../usage/completion-usage.ts';
import type { UsageReport } from '../usage/usage-report.ts';
import { decodeOpenAiResponsesUsage } from './decode-usage.ts';
import { isResponsesError } from './is-error.ts';
import { decodeFinish } from './finish.ts';
import { StreamItems } from './stream-items.ts';

/**
 * Reads a response stream (https://platform.openai.com/docs/api-reference/responses-streaming). Nothing follows its end or
 * its error, whatever the provider sends; events that say nothing of the answer are passed over.
 */
export function createOpenAiResponsesStreamDecoder(): StreamDecoder {
  return new ResponseStreamDecoder();
}

class ResponseStreamDecoder implements StreamDecoder {
  readonly #items = new StreamItems(() => this.#id);
  #id = '';
  #hasStarted = false;
  #isOver = false;
  report: UsageReport | null = null;

  push({ event, data }: SseEvent): CompletionEvent[] {
    if (this.#isOver) return this.#readLate(data);
    if (data.trim() === '[DONE]') return [];
    const parsed = parseJsonObject(data);
    if (parsed === null) return this.#fail('The provider sent an event that cannot be read.');
    if (isResponsesError(parsed, event)) return this.#failWith(parsed);
    switch (parsed['type'] ?? event) {
      case 'response.created':
      case 'response.in_progress':
        return this.#start(asObject(parsed['response']) ?? {});
      case 'response.completed':
      case 'response.incomplete':
        return this.#end(asObject(parsed['response']) ?? {});
      default:
        return this.#items.push(parsed);
    }
  }

  finish(): CompletionEvent[] {
    return this.#isOver ? [] : this.#fail('The provider ended the stream before the answer was complete.');
  }

  #start(response: JsonObject): CompletionEvent[] {
    if (this.#hasStarted) return [];
    this.#hasStarted = true;
    const { id, model } = { id: '', model: '', ...response };
    this.#id = typeof id === 'string' ? id : '';
    const name = typeof model === 'string' ? model : '';
    return [{ type: 'start', id: this.#id, model: name, createdAt: getCreatedAt(response), usage: null }];
  }

  #end(response: JsonObject): CompletionEvent[] {
    const events = [...this.#start(response), ...this.#items.finish(response['output'])];
    this.#isOver = true;
    const usage = this.#readUsage(response);
    return [
      ...events,
      { type: 'finish', choice: 0, reason: decodeFinish(response, this.#items) },
      ...(usage === null ? [] : [{ type: 'usage' as const, usage }]),
      { type: 'end' },
    ];
  }

  #readUsage(response: JsonObject) {
    const report = decodeOpenAiResponsesUsage(response, this.report);
    this.report = report ?? this.report;
    return getCompletionUsage(report);
  }

  /** A report that comes after the end is still what is billed. */
  #readLate(data: string): CompletionEvent[] {
    const parsed = parseJsonObject(data) ?? {};
    const usage = this.#readUsage(asObject(parsed['response']) ?? parsed);
    return usage === null ? [] : [{ type: 'usage', usage }];
  }

  /** The counts that come with an error are still what is billed. */
  #failWith(event: JsonObject): CompletionEvent[] {
    this.#isOver = true;
    const usage = this.#readUsage(asObject(event['response']) ?? {});
    const error = { type: 'error' as const, ...decodeOpenAiResponsesStreamError(event) };
    return usage === null ? [error] : [{ type: 'usage', usage }, error];
  }

  #fail(message: string): CompletionEvent[] {
    this.#isOver = true;
    return [{ type: 'error', kind: 'api_error', message, code: null }];
  }
}
