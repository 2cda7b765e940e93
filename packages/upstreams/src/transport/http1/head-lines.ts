import { sliceValue } from '../trim-blanks.ts';

const UPPER_A = 0x41;
const UPPER_Z = 0x5a;

/** The headers of a head as they came. Only a few are read, so none becomes a string before. */
export class HeadLines {
  readonly #text: string;
  readonly #places: readonly number[];

  /**
   * @param text the head, one character per byte
   * @param places the offsets of the start, the colon and the end of each header
   */
  constructor(text: string, places: readonly number[]) {
    this.#text = text;
    this.#places = places;
  }

  /** @param name in lower case @returns the trimmed value; repeated headers are joined by `, ` */
  get(name: string): string | undefined {
    const places = this.#places;
    let found: string | undefined;
    for (let at = 0; at < places.length; at += 3) {
      const start = places[at] ?? 0;
      const colon = places[at + 1] ?? 0;
      if (colon - start !== name.length || !this.#hasName(start, name)) continue;
      const value = sliceValue(this.#text, colon + 1, places[at + 2] ?? colon + 1);
      found = found === undefined ? value : `${found}, ${value}`;
    }
    return found;
  }

  #hasName(start: number, name: string): boolean {
    const text = this.#text;
    for (let at = 0; at < name.length; at += 1) {
      const code = text.charCodeAt(start + at);
      const lower = code >= UPPER_A && code <= UPPER_Z ? code + 0x20 : code;
      if (lower !== name.charCodeAt(at)) return false;
    }
    return true;
  }
}
