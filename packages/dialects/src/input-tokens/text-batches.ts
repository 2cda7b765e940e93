/** A batch may end this much earlier to end before a space, where a token ends anyway. */
const SPACE_WITHIN_CHARACTERS = 256;

/** Cuts texts into batches for the tokenizer, in order. */
export class TextBatches {
  readonly #texts: readonly string[];
  #index = 0;
  #offset = 0;

  constructor(texts: readonly string[]) {
    this.#texts = texts;
    this.#skipEmpty();
  }

  get isEmpty(): boolean {
    return this.#index >= this.#texts.length;
  }

  /** Takes the next texts, together of at most `maxCharacters`. */
  take(maxCharacters: number): string[] {
    const batch: string[] = [];
    let room = maxCharacters;
    while (room > 0 && !this.isEmpty) {
      const text = this.#texts[this.#index] ?? '';
      const end = cutAt(text, this.#offset, this.#offset + room);
      batch.push(text.slice(this.#offset, end));
      room -= end - this.#offset;
      this.#offset = end;
      this.#skipEmpty();
      if (end < text.length) break;
    }
    return batch;
  }

  #skipEmpty(): void {
    while (!this.isEmpty && this.#offset >= (this.#texts[this.#index]?.length ?? 0)) {
      this.#index += 1;
      this.#offset = 0;
    }
  }
}

function cutAt(text: string, start: number, limit: number): number {
  if (limit >= text.length) return text.length;
  const space = text.lastIndexOf(' ', limit);
  return space > start && limit - space < SPACE_WITHIN_CHARACTERS ? space : limit;
}
