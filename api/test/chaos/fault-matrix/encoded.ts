/** A correct response in one dialect. */
export interface Encoded {
  body: object;
  /** Whole events, with their blank lines. */
  events: readonly string[];
}
