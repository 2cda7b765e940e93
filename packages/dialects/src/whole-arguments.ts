import { parseJsonObject } from './json/parse-object.ts';

/** Arguments that were not whole as often are not parsed again: a stream of small pieces would take time without bound. */
const MAX_CHECKS = 50;

/** Knows if the arguments of one call are whole, while they arrive. */
export class WholeArguments {
  #length = -1;
  #isWhole = false;
  #checks = 0;

  /** @param text all arguments until now, which only grow @returns false also if they were parsed too often */
  check(text: string): boolean {
    if (text.length === this.#length) return this.#isWhole;
    this.#length = text.length;
    this.#isWhole = this.#checks < MAX_CHECKS && text.trimEnd().endsWith('}') && this.#parse(text);
    return this.#isWhole;
  }

  #parse(text: string): boolean {
    this.#checks += 1;
    return parseJsonObject(text) !== null;
  }
}
