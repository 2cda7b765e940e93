import { Buffer } from 'node:buffer';
import { writeWithoutLeftOut } from '../json/left-out.ts';
import { parseJsonObject } from '../json/parse-object.ts';
import { readEventAround, type EventSpan } from './event-around.ts';

type Span = Pick<EventSpan, 'start' | 'end'>;

/** An event's replacement, one character for each byte; '': it is removed. */
export type ReplacedEvent = Span & { text: string };

/** Writes an event with other data, one character for each byte. */
export function rewriteEvent(block: Buffer, { start, end }: Span, json: string): string {
  const lines = block.toString('utf8', start, end).split(/\r?\n/);
  const others = lines.filter((line) => line !== '' && !line.startsWith('data:'));
  return Buffer.from([...others, `data: ${json}`, '', ''].join('\n'), 'utf8').toString('latin1');
}

/**
 * An event without the values that its outline left out.
 * @param text of one event, one character for each byte
 */
export function withoutLeftOut(text: string): string {
  const block = Buffer.from(text, 'latin1');
  const span = readEventAround(block, 0);
  const event = parseJsonObject(span.data);
  return event === null ? text : rewriteEvent(block, span, writeWithoutLeftOut(event));
}

/** @param text the block that the events are in. @returns null if nothing is left */
export function replaceEvents(text: string, replaced: readonly ReplacedEvent[]): string | null {
  const ends = [0, ...replaced.map(({ end }) => end)];
  const starts = [...replaced.map(({ start }) => start), text.length];
  const left = ends
    .map((end, index) => text.slice(end, starts[index]) + (replaced[index]?.text ?? ''))
    .join('');
  return left === '' ? null : left;
}
