import { EVENT_END } from '@tollgate/dialects/sse/event-end';

const DATA_LINE = /^data:[ ]?(.*)$/gm;

/** Reads the data of server-sent events. Bytes are one character each. */
export class EventSplitter {
  /** The start of an event that is not complete. */
  #rest = '';

  /** @returns the data of each event that is complete; events without data, such as pings, are left out */
  push(bytes: string): string[] {
    const text = this.#rest + bytes;
    const found: string[] = [];
    let from = 0;
    for (const { 0: end, index } of text.matchAll(EVENT_END)) {
      const data = readData(text.slice(from, index));
      if (data !== '') found.push(data);
      from = index + end.length;
    }
    this.#rest = text.slice(from);
    return found;
  }
}

/** Several lines of data are one text: https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream */
function readData(event: string): string {
  return Array.from(event.matchAll(DATA_LINE), ([, line]) => line).join('\n');
}
