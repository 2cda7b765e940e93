import { Buffer } from 'node:buffer';
import { readEventAround, type EventSpan } from './event-around.ts';

/** Reads whole events one after another. @param text one character for each byte */
export function* readEvents(text: string): Generator<EventSpan> {
  const block = Buffer.from(text, 'latin1');
  for (let at = 0; at < block.length;) {
    const event = readEventAround(block, at);
    yield event;
    at = event.end;
  }
}
