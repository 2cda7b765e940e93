import type { Citation } from '@tollgate/core/completion/content';
import type { BlockStart, CompletionEvent } from '@tollgate/core/completion/events';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { decodeAnnotations } from './decode-annotations.ts';
import { readMistralThinking } from './decode-assistant.ts';
import { decodeFinishReason } from './finish-reason.ts';
import { decodeChoiceLogprobs } from './logprobs.ts';
import { decodeReasoningDetail } from './reasoning-details.ts';
import { StreamToolCalls } from './stream-tool-calls.ts';

type TextKind = 'text' | 'thinking' | 'refusal';

interface OpenBlock {
  kind: TextKind;
  block: number;
  /** The `index` of the `reasoning_details` that it was opened for. */
  detail: number | null;
}

/**
 * Follows one choice of a stream: at most one block of text, thinking or refusal is open, tool calls may be besides. The
 * end is held back until the stream ends, since usage and errors come behind the finish reason.
 */
export class StreamChoice {
  readonly index: number;
  readonly #responseId: () => string;
  readonly #calls: StreamToolCalls;
  #events: CompletionEvent[] = [];
  #open: OpenBlock | null = null;
  #blocks = 0;
  #hasRefusal = false;
  #hasPlainReasoning = false;
  #hasCitations = false;
  #finishing: JsonObject | null = null;

  constructor(index: number, responseId: () => string) {
    this.index = index;
    this.#responseId = responseId;
    this.#calls = new StreamToolCalls({
      index,
      responseId: () => this.#responseId(),
      openBlock: (start) => {
        this.#closeText();
        return this.#openBlock(start);
      },
      emit: (event) => this.#events.push(event),
    });
  }

  get isFinished(): boolean {
    return this.#finishing !== null;
  }

  /** Reads one chunk's part of the choice. */
  push(choice: JsonObject): CompletionEvent[] {
    const delta = asObject(choice['delta']);
    const tokens = decodeChoiceLogprobs(choice);
    if (tokens.length > 0) this.#events.push({ type: 'logprobs', choice: this.index, tokens });
    if (delta !== null) this.#readDelta(delta);
    if (typeof choice['finish_reason'] === 'string' && choice['finish_reason'] !== '')
      this.#finishing = choice;
    return this.#take();
  }

  /** @param sources the sources of the whole text, if the provider lists them next to the choices */
  finish(sources: readonly Citation[]): CompletionEvent[] {
    if (!this.#hasCitations && this.#open?.kind === 'text')
      for (const citation of sources) this.#cite(citation, this.#open.block);
    this.#closeText();
    this.#calls.finish();
    const kinds = { hasCalls: !this.#calls.isEmpty, hasRefusal: this.#hasRefusal };
    const reason = decodeFinishReason(this.#finishing ?? {}, kinds);
    this.#events.push({ type: 'finish', choice: this.index, reason });
    return this.#take();
  }

  #take(): CompletionEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #readDelta(delta: JsonObject): void {
    this.#readReasoning(delta);
    const content = delta['content'];
    if (typeof content === 'string') this.#write('text', content);
    else if (Array.isArray(content)) for (const part of content) this.#readPart(asObject(part) ?? {});
    if (typeof delta['refusal'] === 'string') this.#write('refusal', delta['refusal']);
    if (delta['annotations'] !== undefined) this.#readAnnotations(delta['annotations']);
    const calls: unknown[] = Array.isArray(delta['tool_calls']) ? delta['tool_calls'] : [];
    for (const call of calls) this.#calls.push(asObject(call) ?? {});
    const legacy = asObject(delta['function_call']);
    if (legacy !== null) this.#calls.push({ index: 0, function: legacy });
  }

  /** Mistral streams lists of parts. */
  #readPart(part: JsonObject): void {
    if (part['type'] === 'thinking') this.#write('thinking', readMistralThinking(part));
    else if (typeof part['text'] === 'string') this.#write('text', part['text']);
  }

  /** OpenRouter says the same twice: the details hold more. */
  #readReasoning(delta: JsonObject): void {
    const details: unknown[] = Array.isArray(delta['reasoning_details']) ? delta['reasoning_details'] : [];
    const text = delta['reasoning_content'] ?? delta['reasoning'];
    if (details.length === 0) {
      if (typeof text !== 'string') return;
      this.#hasPlainReasoning ||= text !== '';
      this.#write('thinking', text);
    } else if (!this.#hasPlainReasoning || typeof text === 'string') {
      for (const entry of details) this.#readDetail(asObject(entry) ?? {});
    }
    // Else a gateway of this kind sums up at the end what it has streamed as plain text.
  }

  #readDetail(detail: JsonObject): void {
    const part = decodeReasoningDetail(detail);
    if (part === null) return;
    if (part.type === 'redacted_thinking') {
      this.#closeText();
      const block = this.#openBlock({ type: 'redacted_thinking', data: part.data });
      this.#events.push({ type: 'block_end', choice: this.index, block });
      return;
    }
    const index = typeof detail['index'] === 'number' ? detail['index'] : null;
    if (this.#open?.kind === 'thinking' && this.#open.detail !== index) this.#closeText();
    if (part.text !== '') this.#write('thinking', part.text, index);
    if (part.signature === null) return;
    const block = this.#blockFor('thinking', index);
    this.#events.push({ type: 'signature', choice: this.index, block, signature: part.signature });
  }

  #write(kind: TextKind, text: string, detail: number | null = null): void {
    if (text === '') return;
    const block = this.#blockFor(kind, detail);
    const type = kind === 'thinking' ? 'thinking_delta' : 'text_delta';
    this.#events.push({ type, choice: this.index, block, text });
  }

  #blockFor(kind: TextKind, detail: number | null): number {
    if (this.#open?.kind === kind) return this.#open.block;
    this.#closeText();
    const block = this.#openBlock({ type: kind });
    this.#open = { kind, block, detail };
    if (kind === 'refusal') this.#hasRefusal = true;
    return block;
  }

  /** Annotations come behind the text that they are about. */
  #readAnnotations(value: unknown): void {
    if (this.#open?.kind !== 'text') return;
    for (const citation of decodeAnnotations(value)) this.#cite(citation, this.#open.block);
  }

  #cite(citation: Citation, block: number): void {
    this.#hasCitations = true;
    this.#events.push({ type: 'citation', choice: this.index, block, citation });
  }

  #openBlock(start: BlockStart): number {
    const block = this.#blocks;
    this.#blocks += 1;
    this.#events.push({ type: 'block_start', choice: this.index, block, start });
    return block;
  }

  #closeText(): void {
    if (this.#open === null) return;
    this.#events.push({ type: 'block_end', choice: this.index, block: this.#open.block });
    this.#open = null;
  }
}
