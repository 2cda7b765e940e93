const NOTHING: readonly number[] = [];
const MEMBERS = /"(model|service_tier)"\s*:\s*("[^"]*")/g;
const MAX_PATTERNS = 256;
/** Patterns by the values that they pass over: streams of the same model share one, since compiling takes long. */
const patterns = new Map<string, RegExp>();

/** Matches both members, whatever they say. */
const FIRST = createPattern(undefined, undefined);

/** Finds the events of a stream that name another model or tier than those before: all others need not be parsed for it. */
export class ServedScan {
  /** The last values, as written in the JSON; a value that has not come yet is absent. */
  readonly #last: { model?: string; service_tier?: string } = {};
  #pattern = FIRST;

  /** @returns ascending offsets into the text, each within an event that names something new */
  findChanges(text: string): readonly number[] {
    // One pass without any match, for nearly every chunk.
    if (!this.#pattern.test(text)) return NOTHING;
    const changes: number[] = [];
    MEMBERS.lastIndex = 0;
    for (let found = MEMBERS.exec(text); found !== null; found = MEMBERS.exec(text)) {
      const { 1: name, 2: value, index } = found;
      if ((name !== 'model' && name !== 'service_tier') || value === undefined) continue;
      if (this.#last[name] === value) continue;
      this.#last[name] = value;
      changes.push(index);
    }
    if (changes.length > 0) this.#pattern = patternFor(this.#last);
    return changes;
  }
}

/** Matches a member whose value is not the last one. */
function patternFor({ model, service_tier: tier }: { model?: string; service_tier?: string }): RegExp {
  const id = tier === undefined ? (model ?? '') : `${model} ${tier}`;
  const known = patterns.get(id);
  if (known !== undefined) return known;
  if (patterns.size >= MAX_PATTERNS) patterns.clear();
  const pattern = createPattern(model, tier);
  patterns.set(id, pattern);
  return pattern;
}

function createPattern(model: string | undefined, tier: string | undefined): RegExp {
  return new RegExp(`model"\\s*:\\s*${except(model)}|service_tier"\\s*:\\s*${except(tier)}`);
}

function except(value: string | undefined): string {
  return value === undefined ? '"' : `(?!${value.replaceAll(/\W/g, String.raw`\$&`)})"`;
}
