import type { JsonObject } from '../json/parse-object.ts';
import { writeJson } from '../json/written-json.ts';
import { PING_LINE } from '../sse/ping.ts';

/** Writes the events of a response stream, each with its number, and keeps them until they are taken. */
export class EventWriter {
  #written = '';
  #next = 0;

  event(type: string, members: JsonObject): void {
    const data = { type, sequence_number: this.#number(), ...members };
    this.#written += `event: ${type}\ndata: ${writeJson(data)}\n\n`;
  }

  /**
   * A delta, which nearly all of a stream is: written without building objects.
   * @param place its members as JSON, without the braces
   */
  delta(type: string, place: string, text: string): void {
    this.#written +=
      `event: ${type}\ndata: {"type":"${type}","sequence_number":${this.#number()},${place},` +
      `"delta":${JSON.stringify(text)}}\n\n`;
  }

  ping(): void {
    this.#written += PING_LINE;
  }

  /** The next event gets this number. */
  continueAt(number: number): void {
    this.#next = number;
  }

  /** @returns everything since the last time */
  take(): string {
    const written = this.#written;
    this.#written = '';
    return written;
  }

  #number(): number {
    const number = this.#next;
    this.#next += 1;
    return number;
  }
}
