import type { AssistantPart } from '@tollgate/core/completion/content';
import type { CompletionEvent } from '@tollgate/core/completion/events';
import type { AnswerContext } from '../answer-context.ts';
import { asObject } from '../json/parse-object.ts';

type BlockEvent = Extract<CompletionEvent, { block: number }>;

const REASONING: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking']);
const OFF: ReadonlySet<unknown> = new Set([undefined, null, 'disabled']);

/** True if the caller expects reasoning in the answer. Scripts that did not ask for it read the text of the first block. */
export function expectsReasoning({ requestBody }: Pick<AnswerContext, 'requestBody'>): boolean {
  return requestBody === undefined || !OFF.has(asObject(requestBody['thinking'])?.['type']);
}

/**
 * Leaves out unrequested reasoning, except before the first tool call: the model needs it in the next turn, and it
 * comes after the text.
 */
export function placeReasoning(content: readonly AssistantPart[]): AssistantPart[] {
  const first = content.findIndex(({ type }) => type === 'tool_call');
  const before = first < 0 ? content : content.slice(0, first);
  const text = before.filter(({ type }) => !REASONING.has(type));
  if (first < 0) return text;
  return [...text, ...before.filter(({ type }) => REASONING.has(type)), ...content.slice(first)];
}

/** The same for the events of a stream. */
export class HeldReasoning {
  readonly #blocks = new Set<number>();
  #held: BlockEvent[] = [];
  #hasCall = false;

  /** @returns the events that are to be written now */
  take(event: BlockEvent): BlockEvent[] {
    if (this.#hasCall) return [event];
    if (event.type === 'block_start') {
      if (event.start.type === 'tool_call') {
        this.#hasCall = true;
        const held = this.#held;
        this.#held = [];
        return [...held, event];
      }
      if (REASONING.has(event.start.type)) this.#blocks.add(event.block);
    }
    if (!this.#blocks.has(event.block)) return [event];
    this.#held.push(event);
    return [];
  }
}
