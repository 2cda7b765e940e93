import { asObject, type JsonObject } from '../../json/parse-object.ts';

/** Longer items keep their own id: generated images, for example. */
export const MAX_ITEM_LENGTH = 256 * 1024;
/** All items of one carrier. */
const MAX_ITEMS_LENGTH = 1024 * 1024;

/** The items of a streamed response that fit into one carrier, as JSON. */
export class CarriedItems {
  readonly #written: string[] = [];
  #length = 0;

  /** Leaves out an item that no longer fits, and one without an id. */
  add(item: JsonObject): void {
    if (typeof item['id'] !== 'string' || item['id'] === '') return;
    const json = writeItem(item);
    if (json.length > MAX_ITEM_LENGTH || this.#length + json.length > MAX_ITEMS_LENGTH) return;
    this.#length += json.length;
    this.#written.push(json);
  }

  /** @returns an object with the list of `items`; null if there is none */
  get json(): string | null {
    return this.#written.length === 0 ? null : `{"items":[${this.#written.join(',')}]}`;
  }
}

/** The JSON of an item, without log probabilities, which no request repeats. */
export function writeItem(item: JsonObject): string {
  const { content } = item;
  if (!Array.isArray(content) || !content.some((part) => asObject(part)?.['logprobs'] !== undefined))
    return JSON.stringify(item);
  const parts = content.map((part: unknown) => {
    const { logprobs: _, ...rest } = asObject(part) ?? {};
    return rest;
  });
  return JSON.stringify({ ...item, content: parts });
}
