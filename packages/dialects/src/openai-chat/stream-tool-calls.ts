import type { CompletionEvent } from '@tollgate/core/completion/events';
import { packCallId } from '../call-id.ts';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { WholeArguments } from '../whole-arguments.ts';
import { getArguments, getSignature } from './decode-tool-calls.ts';
import { nameCall } from './name-call.ts';

interface OpenCall {
  id: string;
  index: number | null;
  /** null: its name has not come yet, and so it has not been opened. */
  block: number | null;
  name: string;
  /** It comes with the name; once the call is open it is too late for it. */
  signature: string | null;
  arguments: string;
  whole: WholeArguments;
  isClosed: boolean;
}

interface Choice {
  index: number;
  responseId(): string;
  openBlock(start: { type: 'tool_call'; id: string; name: string }): number;
  emit(event: CompletionEvent): void;
}

/**
 * Follows the tool calls of one choice. OpenAI numbers them with `index` and gives id and name once; others leave out the
 * index, the id or both, give every call the index 0, repeat the name, or send a call whole in one chunk.
 */
export class StreamToolCalls {
  readonly #choice: Choice;
  readonly #calls: OpenCall[] = [];

  constructor(choice: Choice) {
    this.#choice = choice;
  }

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  push(delta: JsonObject): void {
    const called = asObject(delta['function']) ?? asObject(delta['custom']) ?? {};
    const id = typeof delta['id'] === 'string' ? delta['id'] : '';
    const index = typeof delta['index'] === 'number' ? delta['index'] : null;
    const name = typeof called['name'] === 'string' ? called['name'] : '';
    const call = this.#find(id, index, name) ?? this.#add(id, index);
    if (call.name === '') call.name = name;
    call.signature ??= getSignature(delta);
    this.#write(call, getArguments(called['arguments'] ?? called['input']));
  }

  /** Closes whatever is open; the answer has ended. */
  finish(): void {
    for (const call of this.#calls) {
      if (call.block === null) this.#open(call);
      this.#close(call);
    }
  }

  #find(id: string, index: number | null, name: string): OpenCall | undefined {
    const known =
      index === null
        ? this.#calls.findLast((call) => (id === '' ? name === '' || call.name === '' : call.id === id))
        : this.#calls.findLast((call) => call.index === index);
    if (known === undefined) return undefined;
    // A new id, or a name after arguments that are whole, begins a call, whatever its index says.
    const isNew =
      (id !== '' && id !== known.id) || (id === '' && name !== '' && known.whole.check(known.arguments));
    return isNew && known.name !== '' ? undefined : known;
  }

  #add(id: string, index: number | null): OpenCall {
    // A call ends with its complete arguments: calls that come one after another are never open together.
    for (const call of this.#calls) if (!call.isClosed && call.whole.check(call.arguments)) this.#close(call);
    const place = this.#calls.length;
    const named = id === '' ? nameCall(this.#choice.responseId(), this.#choice.index, place) : id;
    const call: OpenCall = {
      id: named,
      index,
      block: null,
      name: '',
      signature: null,
      arguments: '',
      whole: new WholeArguments(),
      isClosed: false,
    };
    this.#calls.push(call);
    return call;
  }

  #write(call: OpenCall, json: string): void {
    // Blanks behind arguments that are whole.
    if (call.isClosed) return;
    const isOpen = call.block !== null;
    call.arguments += json;
    if (!isOpen) {
      if (call.name !== '') this.#open(call);
    } else if (json !== '' && call.block !== null) this.#delta(call.block, json);
  }

  #open(call: OpenCall): void {
    const id = call.signature === null ? call.id : packCallId(call.id, call.signature);
    call.block = this.#choice.openBlock({ type: 'tool_call', id, name: call.name });
    if (call.arguments !== '') this.#delta(call.block, call.arguments);
  }

  #delta(block: number, json: string): void {
    this.#choice.emit({ type: 'arguments_delta', choice: this.#choice.index, block, json });
  }

  #close(call: OpenCall): void {
    if (call.isClosed || call.block === null) return;
    call.isClosed = true;
    this.#choice.emit({ type: 'block_end', choice: this.#choice.index, block: call.block });
  }
}
