/** The gateway sets every content type: a provider's could make a browser execute the response. */
export const JSON_TYPE = 'application/json';
export const EVENT_STREAM_TYPE = 'text/event-stream; charset=utf-8';

/** True if a provider responds with server-sent events. @param header reads a response header */
export function isEventStream(header: (name: string) => string | null): boolean {
  return /^\s*text\/event-stream\b/i.test(header('content-type') ?? '');
}
