/** A value that is JSON already: several events repeat it, and writing a large one takes long. */
export class WrittenJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Placeholder of written JSON while the rest is written. No text can contain it by design. */
const PLACE = `\0${globalThis.crypto.randomUUID()}`;
const PLACE_JSON = JSON.stringify(PLACE);

/** Like `JSON.stringify`, also for values with {@link WrittenJson} in them, whose texts are not copied. */
export function writeJson(value: unknown): string {
  const written: string[] = [];
  const json = JSON.stringify(value, (_name, member: unknown) => {
    if (!(member instanceof WrittenJson)) return member;
    written.push(member.text);
    return PLACE;
  });
  if (written.length === 0) return json;
  return json.split(PLACE_JSON).reduce((joined, part, at) => `${joined}${written[at - 1] ?? ''}${part}`);
}

/** A list that is written entry by entry. */
export class WrittenList {
  #entries = '';

  /** @returns the entries as a list */
  add(entries: readonly unknown[]): WrittenJson {
    const list = JSON.stringify(entries);
    if (entries.length > 0) this.#entries += (this.#entries === '' ? '' : ',') + list.slice(1, -1);
    return new WrittenJson(list);
  }

  get all(): WrittenJson {
    return new WrittenJson(`[${this.#entries}]`);
  }
}
