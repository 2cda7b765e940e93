import { asObject, type JsonObject } from '../json/parse-object.ts';
import { measureAnswer } from './measure-answer.ts';
import { TextMeter, type Measured } from './text-meter.ts';

/** The model's output in a stream, in which several members may carry the same text. */
export class StreamText {
  /** Of members that no other repeats. */
  readonly text = new TextMeter();
  /** Members that may carry the same text: the longest counts. */
  readonly #alternatives = new Map<string, TextMeter>();
  /** Of whole output items. */
  readonly #items = new TextMeter();
  /** The part of the alternatives that the items repeat. */
  #repeated: Measured = { bytes: 0, plainBytes: 0, pieces: 0 };
  /** Of whole answers, which repeat everything. */
  readonly #wholes = new TextMeter();

  alternative(name: string): TextMeter {
    const known = this.#alternatives.get(name);
    if (known !== undefined) return known;
    const meter = new TextMeter();
    this.#alternatives.set(name, meter);
    return meter;
  }

  /** Takes an output item at its end, when all its deltas have come. */
  addItem(item: unknown): void {
    const { bytes, plainBytes, pieces } = this.#items;
    measureAnswer({ output: [item] }, this.#items);
    const most = this.#most();
    const repeated = (name: keyof Measured, before: number) =>
      Math.max(0, Math.min(most[name] - this.#repeated[name], this.#items[name] - before));
    this.#repeated = {
      bytes: this.#repeated.bytes + repeated('bytes', bytes),
      plainBytes: this.#repeated.plainBytes + repeated('plainBytes', plainBytes),
      pieces: this.#repeated.pieces + repeated('pieces', pieces),
    };
  }

  /** Takes a whole answer. */
  addWhole(answer: JsonObject): void {
    measureAnswer(answer, this.#wholes);
  }

  /** Takes the choices of a chunk that have a message in place of a delta. */
  addMessages({ choices }: JsonObject): void {
    const messages = Array.isArray(choices) ? choices.filter(hasMessageAlone) : [];
    if (messages.length > 0) this.addWhole({ choices: messages });
  }

  /** Everything that the model wrote. */
  get meter(): TextMeter {
    const parts = this.text.plus(this.#items).plus(this.#most(), this.#repeated);
    return this.#wholes.bytes > parts.bytes ? this.#wholes : parts;
  }

  /** Grows with every piece that was not empty, also if it repeats another. */
  get pieces(): number {
    let pieces = this.text.pieces + this.#items.pieces + this.#wholes.pieces;
    for (const meter of this.#alternatives.values()) pieces += meter.pieces;
    return pieces;
  }

  #most(): TextMeter {
    let most: TextMeter | null = null;
    for (const meter of this.#alternatives.values())
      if (most === null || meter.bytes > most.bytes) most = meter;
    return most ?? new TextMeter();
  }
}

function hasMessageAlone(choice: unknown): boolean {
  const { message, delta } = asObject(choice) ?? {};
  return asObject(message) !== null && asObject(delta) === null;
}
