import type { Citation } from '@tollgate/core/completion/content';
import type { CompletionEvent } from '@tollgate/core/completion/events';
import { asObject, parseJsonObject, type JsonObject } from '../json/parse-object.ts';
import type { SseEvent } from '../sse/parse-events.ts';
import type { StreamDecoder } from '../stream-codec.ts';
import { decodeSearchResults } from './decode-annotations.ts';
import { decodeOpenAiStreamError } from './decode-error.ts';
import { getCreatedAt } from './decode-response.ts';
import { getCompletionUsage } from '../usage/completion-usage.ts';
import type { UsageReport } from '../usage/usage-report.ts';
import { decodeOpenAiUsage } from './decode-usage.ts';
import { isChatError } from './is-error.ts';
import { StreamChoice } from './stream-choice.ts';

const DONE = '[DONE]';

/**
 * Reads the chunks of a streamed chat completion
 * (https://platform.openai.com/docs/api-reference/chat-streaming). A stream ends well with `[DONE]`, or, as some
 * providers leave that out, when it closes after each choice has given its reason. After an error or the end, nothing
 * more comes out.
 */
export function createOpenAiChatStreamDecoder(): StreamDecoder {
  return new ChatStreamDecoder();
}

class ChatStreamDecoder implements StreamDecoder {
  readonly #choices = new Map<number, StreamChoice>();
  #id = '';
  #hasStarted = false;
  #isOver = false;
  #sources: Citation[] = [];
  #lastUsage = '';
  report: UsageReport | null = null;

  push({ event, data }: SseEvent): CompletionEvent[] {
    if (this.#isOver) return this.#readLate(data);
    if (data.trim() === DONE) return this.#end();
    const chunk = parseJsonObject(data);
    if (chunk === null) return this.#fail('The provider sent an event that cannot be read.');
    // Groq names the event; OpenRouter puts the error into a chunk, behind a finish reason.
    if (isChatError(chunk, event)) return this.#failWith(chunk);
    return this.#read(chunk);
  }

  finish(): CompletionEvent[] {
    if (this.#isOver) return [];
    const choices = [...this.#choices.values()];
    const isWhole = choices.length > 0 && choices.every((choice) => choice.isFinished);
    return isWhole
      ? this.#end()
      : this.#fail('The provider ended the stream before the answer was complete.');
  }

  #read(chunk: JsonObject): CompletionEvent[] {
    const choices: unknown[] = Array.isArray(chunk['choices']) ? chunk['choices'] : [];
    const events = this.#start(chunk, choices.length > 0);
    for (const [place, given] of choices.entries()) {
      const choice = asObject(given);
      if (choice === null) continue;
      const index = typeof choice['index'] === 'number' ? choice['index'] : place;
      events.push(...this.#choice(index).push(choice));
    }
    this.#sources = chunk['citations'] === undefined ? this.#sources : decodeSearchResults(chunk);
    const usage = this.#readUsage(chunk);
    const written = usage === null ? this.#lastUsage : JSON.stringify(usage);
    // What is written later may have the same counts, which then cover it.
    const isLast = choices.length === 0;
    if (usage !== null && (isLast || written !== this.#lastUsage)) events.push({ type: 'usage', usage });
    this.#lastUsage = written;
    return events;
  }

  #readUsage(chunk: JsonObject) {
    const report = decodeOpenAiUsage(chunk, this.report);
    this.report = report ?? this.report;
    return getCompletionUsage(report);
  }

  /** A report that comes after the end is still what is billed. */
  #readLate(data: string): CompletionEvent[] {
    const usage = this.#readUsage(parseJsonObject(data) ?? {});
    return usage === null ? [] : [{ type: 'usage', usage }];
  }

  /** Azure opens with a chunk that has neither id nor choices. */
  #start(chunk: JsonObject, hasChoices: boolean): CompletionEvent[] {
    const id = typeof chunk['id'] === 'string' ? chunk['id'] : '';
    if (this.#hasStarted || (id === '' && !hasChoices)) return [];
    this.#hasStarted = true;
    this.#id = id;
    const model = typeof chunk['model'] === 'string' ? chunk['model'] : '';
    return [{ type: 'start', id, model, createdAt: getCreatedAt(chunk), usage: null }];
  }

  #choice(index: number): StreamChoice {
    const known = this.#choices.get(index);
    if (known !== undefined) return known;
    const choice = new StreamChoice(index, () => this.#id);
    this.#choices.set(index, choice);
    return choice;
  }

  #end(): CompletionEvent[] {
    if (this.#choices.size === 0) return this.#fail('The provider ended the stream without an answer.');
    this.#isOver = true;
    const choices = [...this.#choices.values()].toSorted((a, b) => a.index - b.index);
    return [
      ...choices.flatMap((choice) => choice.finish(choice.index === 0 ? this.#sources : [])),
      { type: 'end' },
    ];
  }

  /** The counts that come with an error are still what is billed. */
  #failWith(chunk: JsonObject): CompletionEvent[] {
    this.#isOver = true;
    const usage = this.#readUsage(chunk);
    const error = { type: 'error' as const, ...decodeOpenAiStreamError(chunk) };
    return usage === null ? [error] : [{ type: 'usage', usage }, error];
  }

  #fail(message: string): CompletionEvent[] {
    this.#isOver = true;
    return [{ type: 'error', kind: 'api_error', message, code: null }];
  }
}
