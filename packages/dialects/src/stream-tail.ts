import type { StreamRules } from './stream-rules.ts';

/** More than what follows the last text of a response; comments of a provider may be more. */
const MAX_LENGTH = 16 * 1024;

/**
 * The events since the model last wrote, which decide whether a stream without a terminator is complete: however many reads
 * they came in.
 */
export class StreamTail {
  #events = '';
  #endsWell = false;

  /**
   * Takes whole events.
   * @param hasText the model wrote some of it
   */
  push(events: string, hasText: boolean, rules: StreamRules): void {
    if (hasText) this.#endsWell = false;
    if (hasText || this.#events === '') {
      this.#events = events;
      return;
    }
    this.#events += events;
    if (this.#events.length <= MAX_LENGTH) return;
    this.#endsWell ||= rules.endsWell(this.#events);
    this.#events = '';
  }

  /**
   * The stream closed without a terminator.
   * @param isOpen the last event has no blank line
   * @returns what is missing; null: the stream is not complete
   */
  finish(rules: StreamRules, isOpen: boolean): string | null {
    if (!this.#endsWell && !rules.endsWell(this.#events)) return null;
    const { terminator = '' } = rules;
    if (terminator === '' || !isOpen || this.#events.endsWith('\n\n')) return terminator;
    return (this.#events.endsWith('\n') ? '\n' : '\n\n') + terminator;
  }
}
