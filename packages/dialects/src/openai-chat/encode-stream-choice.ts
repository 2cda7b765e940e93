import type { Citation, RedactedThinkingPart, ThinkingPart } from '@tollgate/core/completion/content';
import type { BlockStart, CompletionEvent } from '@tollgate/core/completion/events';
import type { TokenLogprob } from '@tollgate/core/completion/response';
import type { JsonObject } from '../json/parse-object.ts';
import { getInput } from '../portable-tools/chat-custom.ts';
import { encodeAnnotations } from './encode-annotations.ts';
import { needsDetails } from './encode-response.ts';
import { encodeFinishReason } from './finish-reason.ts';
import { encodeChoiceLogprobs } from './logprobs.ts';
import { encodeAnsweredDetail } from './reasoning-details.ts';

type ChoiceEvent = Extract<CompletionEvent, { choice: number }>;

interface Block {
  type: BlockStart['type'];
  /** Of a tool call: its place among the calls. */
  call: number;
  /** Of text: its start and end in the content of the message. */
  start: number;
  end: number;
  citations: Citation[];
  /** Of a custom tool: the JSON so far, which is written as text at the end; null: written as it comes. */
  arguments: string | null;
}

/** Writes one choice of a stream: each event as the choices of zero, one or two chunks. */
export class EncodedChoice {
  readonly #index: number;
  readonly #customNames: ReadonlySet<string>;
  readonly #isLegacy: boolean;
  readonly #blocks = new Map<number, Block>();
  readonly #reasoning = new Map<number, ThinkingPart | RedactedThinkingPart>();
  /** null: they have been written. */
  #annotations: JsonObject[] | null = [];
  #tokens: TokenLogprob[] = [];
  #hasBegun = false;
  #calls = 0;
  #length = 0;
  #hasRefusal = false;

  /**
   * @param customNames of the caller's custom tools
   * @param isLegacy the first call is written as `function_call`, for which the message has room
   */
  constructor(index: number, customNames: ReadonlySet<string>, isLegacy: boolean) {
    this.#index = index;
    this.#customNames = customNames;
    this.#isLegacy = isLegacy;
  }

  push(event: ChoiceEvent): string[] {
    const written = this.#getDeltas(event);
    const logprobs = event.type === 'text_delta' || event.type === 'finish' ? this.#takeLogprobs() : 'null';
    const deltas = written.map((delta) => this.#write(delta, ',"finish_reason":null', logprobs));
    if (event.type === 'finish') {
      const kinds = {
        hasCalls: this.#calls > 0,
        hasRefusal: this.#hasRefusal,
        isLegacy: this.#isLegacy,
      };
      const finish = JSON.stringify(encodeFinishReason(event.reason, kinds)).slice(1, -1);
      deltas.push(this.#write('{}', `,${finish}`, written.length === 0 ? logprobs : 'null'));
    }
    if (this.#hasBegun || deltas.length === 0) return deltas;
    this.#hasBegun = true;
    return [
      this.#write('{"role":"assistant","content":"","refusal":null}', ',"finish_reason":null'),
      ...deltas,
    ];
  }

  #write(delta: string, end: string, logprobs = 'null'): string {
    return `{"index":${this.#index},"delta":${delta},"logprobs":${logprobs}${end}}`;
  }

  /** The log probabilities of the text that is written now; at the end, the remaining ones. */
  #takeLogprobs(): string {
    if (this.#tokens.length === 0) return 'null';
    const logprobs = JSON.stringify(encodeChoiceLogprobs(this.#tokens));
    this.#tokens = [];
    return logprobs;
  }

  #getDeltas(event: ChoiceEvent): string[] {
    switch (event.type) {
      case 'block_start':
        return this.#start(event.block, event.start);
      case 'logprobs':
        this.#tokens.push(...event.tokens);
        return [];
      case 'text_delta':
        return this.#text(event.block, event.text);
      case 'thinking_delta': {
        const part = this.#reasoning.get(event.block);
        if (part?.type === 'thinking') part.text += event.text;
        return [`{"reasoning_content":${JSON.stringify(event.text)}}`];
      }
      case 'signature': {
        const part = this.#reasoning.get(event.block);
        if (part?.type === 'thinking') part.signature = event.signature;
        return [];
      }
      case 'arguments_delta': {
        const block = this.#blocks.get(event.block);
        const call = block?.call ?? 0;
        if (block !== undefined && block.arguments !== null) {
          block.arguments += event.json;
          return [];
        }
        if (this.#isLegacy)
          return call > 0 ? [] : [`{"function_call":{"arguments":${JSON.stringify(event.json)}}}`];
        return [`{"tool_calls":[{"index":${call},"function":{"arguments":${JSON.stringify(event.json)}}}]}`];
      }
      case 'citation':
        this.#blocks.get(event.block)?.citations.push(event.citation);
        return [];
      case 'block_end':
        this.#annotate(event.block);
        return this.#customInput(event.block);
      case 'finish':
        return [...this.#writeAnnotations(), ...this.#details()];
    }
  }

  #start(index: number, start: BlockStart): string[] {
    const isCustom = start.type === 'tool_call' && this.#customNames.has(start.name);
    const block: Block = {
      type: start.type,
      call: 0,
      start: this.#length,
      end: this.#length,
      citations: [],
      arguments: isCustom ? '' : null,
    };
    this.#blocks.set(index, block);
    switch (start.type) {
      case 'tool_call': {
        block.call = this.#calls;
        this.#calls += 1;
        return [...this.#writeAnnotations(), ...this.#startCall(block, start)];
      }
      case 'thinking':
        this.#reasoning.set(index, { type: 'thinking', text: '', signature: null });
        return [];
      case 'redacted_thinking':
        this.#reasoning.set(index, { type: 'redacted_thinking', data: start.data });
        return [];
      case 'refusal':
        this.#hasRefusal = true;
        return this.#writeAnnotations();
      case 'text':
      case 'opaque':
        return [];
    }
  }

  #startCall({ call, arguments: held }: Block, { id, name }: { id: string; name: string }): string[] {
    if (this.#isLegacy)
      return call > 0 ? [] : [`{"function_call":{"name":${JSON.stringify(name)},"arguments":""}}`];
    const entry =
      held === null
        ? { index: call, id, type: 'function', function: { name, arguments: '' } }
        : { index: call, id, type: 'custom', custom: { name, input: '' } };
    return [`{"tool_calls":[${JSON.stringify(entry)}]}`];
  }

  #text(index: number, text: string): string[] {
    const block = this.#blocks.get(index);
    if (block?.type === 'refusal') return [`{"refusal":${JSON.stringify(text)}}`];
    this.#length += text.length;
    if (block !== undefined) block.end = this.#length;
    return [`{"content":${JSON.stringify(text)}}`];
  }

  #customInput(index: number): string[] {
    const block = this.#blocks.get(index);
    if (block === undefined || block.arguments === null) return [];
    const custom = JSON.stringify({ input: getInput({ arguments: block.arguments }) });
    return [`{"tool_calls":[{"index":${block.call},"custom":${custom}}]}`];
  }

  #annotate(index: number): void {
    const block = this.#blocks.get(index);
    if (block !== undefined) this.#annotations?.push(...encodeAnnotations(block.citations, block));
  }

  /**
   * One list behind all text, and before calls and a refusal: the OpenAI SDK for Python raises at a second list, so citations of text behind
   * those are left out.
   */
  #writeAnnotations(): string[] {
    const annotations = this.#annotations ?? [];
    if (annotations.length === 0) return [];
    this.#annotations = null;
    return [`{"annotations":${JSON.stringify(annotations)}}`];
  }

  /**
   * All reasoning once, whole, at the end: clients that gather deltas keep the last value of a member, add to a list, or
   * join entries of the same index, and all of them send the same parts back in the next turn.
   */
  #details(): string[] {
    const parts = [...this.#reasoning.values()];
    const isFirst = this.#reasoning.has(0);
    if (!needsDetails(parts) && (parts.length === 0 || isFirst)) return [];
    const details = [...this.#reasoning].map(([block, part]) => encodeAnsweredDetail(part, block));
    return [`{"reasoning_details":${JSON.stringify(details)}}`];
  }
}
