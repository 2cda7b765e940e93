import type { CompletionEvent } from '@tollgate/core/completion/events';
import { KeptTokens } from './kept-tokens.ts';
import { StopScanner } from './stop-scanner.ts';

interface Choice {
  /** The sequence at which the choice ended; null: none yet. */
  sequence: string | null;
  /** Blocks that the caller knows, each with its text so far. */
  blocks: Map<number, StopScanner>;
  tokens: KeptTokens;
}

/**
 * Ends the choices of a stream at the caller's stop sequences, for a provider that does not. The provider writes on: what
 * comes after a sequence is left out, except the usage, so that the reported usage is the billed one.
 */
export class StreamStops {
  readonly #sequences: readonly string[];
  readonly #choices = new Map<number, Choice>();

  /** @param sequences none is empty; see `STOP_LIMITS` */
  constructor(sequences: readonly string[]) {
    this.#sequences = sequences;
  }

  /** @returns the events for the caller */
  push(event: CompletionEvent): readonly CompletionEvent[] {
    if (!('choice' in event)) return [event];
    const choice = this.#getChoice(event.choice);
    switch (event.type) {
      case 'block_start':
        if (choice.sequence !== null) return [];
        choice.blocks.set(event.block, new StopScanner(this.#sequences));
        return [event];
      case 'logprobs':
        if (choice.sequence === null) choice.tokens.add(event.tokens);
        return [];
      case 'text_delta':
        return this.#cut(choice, event);
      case 'block_end':
        return endBlock(choice, event);
      case 'finish':
        if (choice.sequence === null) return [event];
        return [{ ...event, reason: { type: 'stop_sequence', sequence: choice.sequence } }];
      default:
        return choice.sequence === null ? [event] : [];
    }
  }

  #getChoice(index: number): Choice {
    const known = this.#choices.get(index);
    if (known !== undefined) return known;
    const choice: Choice = { sequence: null, blocks: new Map(), tokens: new KeptTokens() };
    this.#choices.set(index, choice);
    return choice;
  }

  #cut(choice: Choice, event: Extract<CompletionEvent, { type: 'text_delta' }>): CompletionEvent[] {
    const scanner = choice.blocks.get(event.block);
    if (choice.sequence !== null || scanner === undefined) return [];
    const { text, sequence } = scanner.push(event.text);
    choice.sequence = sequence;
    return withTokens(choice, { ...event, text });
  }
}

function endBlock(
  choice: Choice,
  event: Extract<CompletionEvent, { type: 'block_end' }>,
): readonly CompletionEvent[] {
  const scanner = choice.blocks.get(event.block);
  if (scanner === undefined) return [];
  choice.blocks.delete(event.block);
  const text = choice.sequence === null ? scanner.flush() : '';
  return [...withTokens(choice, { ...event, type: 'text_delta', text }), event];
}

function withTokens(
  choice: Choice,
  delta: Extract<CompletionEvent, { type: 'text_delta' }>,
): CompletionEvent[] {
  if (delta.text === '') return [];
  const tokens = choice.tokens.take(delta.text);
  return tokens.length === 0 ? [delta] : [{ type: 'logprobs', choice: delta.choice, tokens }, delta];
}
