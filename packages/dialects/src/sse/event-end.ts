/**
 * The end of an event, for `matchAll`: two line ends of any kind
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream).
 */
export const EVENT_END = /(?:\r\n|\n|\r(?!\n)){2}/g;
