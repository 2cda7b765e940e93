/** The largest event of a stream that is relayed, in bytes. */
export const MAX_EVENT_BYTES = 64 * 1024 * 1024;
/** Larger events are not parsed as a whole: see `LargeEvent`. */
export const LARGE_EVENT_BYTES = 64 * 1024;

/** An event of a provider's stream is larger than {@link MAX_EVENT_BYTES}, or its parts that are read are too large. */
export class OversizeEventError extends Error {
  constructor() {
    super('An event of the stream is too large');
  }
}
