/** The gateway writes the type of every response itself: a provider's could make a browser run what it was sent. */
export const JSON_TYPE = 'application/json';
export const EVENT_STREAM_TYPE = 'text/event-stream; charset=utf-8';

/** True if a provider answers with server-sent events. @param header reads a header of the response */
export function isEventStream(header: (name: string) => string | null): boolean {
  return /^\s*text\/event-stream\b/i.test(header('content-type') ?? '');
}
