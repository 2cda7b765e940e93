import type { Buffer } from 'node:buffer';
import { endOfValue } from '../json/end-of-value.ts';
import { parseJsonObject } from '../json/parse-object.ts';
import { skipToValue } from '../json/skip-to-value.ts';
import { readEventAround } from '../sse/event-around.ts';
import type { FoundText } from '../sse/repeated-event.ts';
import { countValue } from './count-value.ts';
import { StreamText } from './stream-text.ts';

const [QUOTE, BRACE] = [0x22, 0x7b];
const HAS_DELTA = /"delta"\s*:\s*\{/;

/** Measures the members of events that the model wrote, and passes over all others. */
export class WrittenMembers {
  readonly written = new StreamText();
  citesWeb = false;
  /** Messages up to this offset of the block have been read. */
  #messagesEnd = 0;
  /** The text, if the block has one, and nothing else of interest. */
  onlyText: FoundText | null = null;
  #found = 0;

  /** Begins another block of events. */
  begin(): void {
    this.#messagesEnd = 0;
    this.onlyText = null;
    this.#found = 0;
  }

  /** The block contains something else of interest. */
  noteOther(): void {
    this.#found += 1;
    this.onlyText = null;
  }

  /** @returns the offset after the text or the JSON, if the value of the key is one */
  count(block: Buffer, { 0: key, 3: alternative }: RegExpExecArray, keyEnd: number): number {
    const meter = alternative === undefined ? this.written.text : this.written.alternative(alternative);
    const start = skipToValue(block, keyEnd);
    const end = countValue(block, { key, start }, meter);
    if (end > start + 2) {
      this.noteOther();
      if (this.#found === 1 && block[start] === QUOTE && block[end - 1] === QUOTE)
        this.onlyText = { start: start + 1, end: end - 1, meter };
    }
    return end;
  }

  /** @returns the offset after the value of a key; after the string, if it only looks like a key */
  skip(block: Buffer, found: RegExpExecArray, keyEnd: number): number {
    const start = skipToValue(block, keyEnd);
    if (start === keyEnd) return keyEnd;
    const name = found[2];
    // The summary of a compaction has the name that results of tools have, which are lists and objects.
    if (name === 'content' && block[start] === QUOTE) return this.count(block, found, keyEnd);
    const end = endOfValue(block, start);
    if (name === 'annotations' && end - start > 2)
      this.citesWeb ||= block.subarray(start, end).includes('"url_citation"');
    if (name === 'message' && block[start] === BRACE && keyEnd > this.#messagesEnd)
      this.#readMessages(block, keyEnd);
    return end;
  }

  /** Some providers send a whole message in place of a delta, others both. */
  #readMessages(block: Buffer, at: number): void {
    this.noteOther();
    const { end, data } = readEventAround(block, at);
    this.#messagesEnd = end;
    const event = HAS_DELTA.test(data) ? null : parseJsonObject(data);
    if (event !== null) this.written.addMessages(event);
  }
}
