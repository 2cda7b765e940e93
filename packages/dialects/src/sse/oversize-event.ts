/** The largest event of a stream that is held, in bytes. */
export const MAX_EVENT_BYTES = 16 * 1024 * 1024;

/** An event of a provider's stream is larger than {@link MAX_EVENT_BYTES}. */
export class OversizeEventError extends Error {
  constructor() {
    super('An event of the stream is larger than 16 MiB');
  }
}
