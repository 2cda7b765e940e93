import type { CompletionEvent } from '@tollgate/core/completion/events';
import type { CompletionResponse } from '@tollgate/core/completion/response';

/**
 * Gives each call of a response a different id: some providers give several calls the same one, and then neither a client nor
 * the next provider knows which result belongs to which call.
 */
export class UniqueCallIds {
  readonly #used = new Set<string>();
  /** The number that the next call of an id tries first. */
  readonly #next = new Map<string, number>();

  /** @returns the event itself, unless it starts a call whose id is taken */
  rename(event: CompletionEvent): CompletionEvent {
    if (event.type !== 'block_start' || event.start.type !== 'tool_call') return event;
    const { start } = event;
    const id = this.#take(start.id);
    return id === start.id ? event : { ...event, start: { ...start, id } };
  }

  /** The same for a whole response, which is changed. */
  renameAll({ choices }: CompletionResponse): void {
    for (const { content } of choices)
      for (const part of content) if (part.type === 'tool_call') part.id = this.#take(part.id);
  }

  /** A prefix, because the end of an id may carry a signature. */
  #take(id: string): string {
    let unique = id;
    if (this.#used.has(id)) {
      let number = this.#next.get(id) ?? 2;
      do {
        unique = `${number}_${id}`;
        number += 1;
      } while (this.#used.has(unique));
      this.#next.set(id, number);
    }
    this.#used.add(unique);
    return unique;
  }
}
