/**
 * The end of an event, for `matchAll`: two line ends of any kind
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream).
 */
export const EVENT_END = /(?:\r\n|\n|\r(?!\n)){2}/g;

const LF = 0x0a;
const CR = 0x0d;

/** @returns the offset behind the next line that is empty and ends with LF or CRLF; the end of the text if there is none */
export function endOfEvent(text: string, at: number): number {
  for (let lf = text.indexOf('\n', at); lf >= 0; lf = text.indexOf('\n', lf + 1)) {
    const next = text.charCodeAt(lf + 1);
    if (next === LF) return lf + 2;
    if (next === CR && text.charCodeAt(lf + 2) === LF) return lf + 3;
  }
  return text.length;
}
