import type { JsonObject } from '../../json/parse-object.ts';
import type { Passage } from '../../tap-options.ts';
import { CarriedItems } from './carried-items.ts';
import { createCarrier } from './carrier.ts';

/** The last event of a response that was not a failure, at the start of an event. */
const LAST_EVENT =
  /(^|\n\r?\n)(event: ?response\.(?:completed|incomplete)\r?\n|data: ?\{"type": ?"response\.(?:completed|incomplete)")/;
/** Its number, where OpenAI writes it, or at the end. */
const NUMBER =
  /(data: ?\{"type": ?"[\w.]+", ?"sequence_number": ?)(\d+)|(, ?"sequence_number": ?)(\d+)(?=\}\s*$)/;
/** Two events are added before it. */
const ADDED_EVENTS = 2;

/**
 * Adds the item that carries the others to a stream that is relayed as it came: only at its end, so that everything else
 * keeps its bytes except for the number of the last event.
 */
export class StreamCarrier {
  readonly #stem: string;
  readonly #items = new CarriedItems();
  #count = 0;
  #isAdded = false;

  /** @param stem the common part of ids */
  constructor(stem: string) {
    this.#stem = stem;
  }

  /** Takes a complete item; null: it is too large to be carried. */
  add(item: JsonObject | null): void {
    this.#count += 1;
    if (item !== null) this.#items.add(item);
  }

  /** @param passed what contains the last event of the stream */
  insert(passed: Passage | readonly Passage[]): Passage | readonly Passage[] {
    if (this.#isAdded) return passed;
    const passages = typeof passed === 'string' || 'add' in passed ? [passed] : passed;
    const written = passages.flatMap((passage): Passage[] => this.#insertInto(passage));
    const [only] = written;
    return written.length === 1 && only !== undefined ? only : written;
  }

  #insertInto(passage: Passage): Passage[] {
    if (this.#isAdded) return [passage];
    // Only the last event of a response can be as large after all items are complete.
    if (typeof passage !== 'string') return [this.#write(0), passage].filter((each) => each !== '');
    const found = LAST_EVENT.exec(passage);
    if (found === null) return [passage];
    const at = found.index + (found[1] ?? '').length;
    const last = passage.slice(at);
    const number = NUMBER.exec(last);
    const first = Number(number?.[2] ?? number?.[4] ?? 0);
    const added = this.#write(first);
    if (added === '') return [passage];
    const renumbered = last.replace(
      NUMBER,
      (_whole, start?: string, _first?: string, end?: string) => `${start ?? end}${first + ADDED_EVENTS}`,
    );
    return [passage.slice(0, at) + added + renumbered];
  }

  /** All of it is ASCII. */
  #write(number: number): string {
    const item = createCarrier(this.#items, this.#stem);
    if (item === null) return '';
    this.#isAdded = true;
    return ['added', 'done']
      .map((end, index) => {
        const type = `response.output_item.${end}`;
        const event = { type, sequence_number: number + index, output_index: this.#count, item };
        return `event: ${type}\ndata: ${JSON.stringify(event)}\n\n`;
      })
      .join('');
  }
}
