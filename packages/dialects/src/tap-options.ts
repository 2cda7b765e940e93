import type { JsonObject } from './json/parse-object.ts';
import type { EventStore } from './sse/event-store.ts';

/** What goes to the caller: text with one character for each byte, or a large event, whose store must be released. */
export type Passage = string | EventStore;

export interface TapOptions {
  openStore?: () => EventStore;
  largeBytes?: number;
  /** Called with each complete item, whose errors are redacted; null: only an outline of it was read. */
  onItem?: (item: JsonObject | null) => void;
}
