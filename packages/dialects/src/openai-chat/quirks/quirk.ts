import type { EncodeReport } from '../../encode-report.ts';
import type { JsonObject } from '../../json/parse-object.ts';

export interface QuirkContext {
  /** The provider's name for the model. */
  model: string;
  /** Receives what is left out or refused. */
  report: EncodeReport;
}

/** How a quirk changes the members of a body, except `messages` and `tools`. */
interface BodyFit<Value> {
  /** The members that it reads. A body without them is not changed. */
  members(value: Value): readonly string[];
  /** Replaces, adds or deletes members; never changes the inside of their values. */
  fit(body: JsonObject, value: Value, context: QuirkContext): void;
}

/** How a quirk changes messages and tools. Each function returns the same object if nothing changes. */
interface EntryFit<Value> {
  /** Texts of which a message or a tool has one if the quirk may change it; see `findMarks`. */
  marks(value: Value, model: string): readonly string[];
  /** @param at the place of the message: `messages.0` */
  fitMessage(message: JsonObject, value: Value, context: QuirkContext & { at: string }): JsonObject;
  fitTool?(tool: JsonObject, value: Value, context: QuirkContext): JsonObject;
}

/** What a field of `ProviderQuirks` does to a request. It takes requests in the form of any provider of the dialect. */
export type Quirk<Value> = {
  /** The change, as documented. */
  about: string;
} & (
  | { body: BodyFit<Value>; entries?: EntryFit<Value> }
  | { body?: BodyFit<Value>; entries: EntryFit<Value> }
);
