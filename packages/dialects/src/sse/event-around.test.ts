import { Buffer } from 'node:buffer';
import { expect, it } from 'vitest';
import { readEventAround } from './event-around.ts';
import { findEventsEnd, findEventStart } from './events-end.ts';

it.each([
  ['data: {"a":1}\n\n', null, '{"a":1}'],
  ['data:{"a":"ä"}\n\n', null, '{"a":"ä"}'],
  ['data: \t {"a":1}\n\n', null, '{"a":1}'],
  ['data: {"a":1} \n\n', null, '{"a":1}'],
  ['data: {"a":1}\r\n\r\n', null, '{"a":1}'],
  ['data: {"a":1}', null, '{"a":1}'],
  ['data: {"a":\ndata: 1}\n\n', null, '{"a":\n1}'],
  ['data: {\nid: 7\ndata: }\n\n', null, '{\n}'],
  ['event: x\ndata: {"a":1}\n\n', 'x', '{"a":1}'],
  ['data: {"a":1}\nevent: x\n\n', 'x', '{"a":1}'],
  ['data: [DONE]\n\n', null, '[DONE]'],
  ['data:\n\n', null, ''],
  ['database: {}\n\n', null, ''],
])('reads the lines of an event: %j', (event, name, data) => {
  const before = 'data: {"before":1}\n\n';
  const block = Buffer.from(`${before}${event}`);
  const start = Buffer.byteLength(before);
  expect(readEventAround(block, start + 3)).toEqual({ start, end: block.length, name, data });
});

it('finds the start of an event as the end of the events in front of it', () => {
  const parts = ['\n', '\n\n', '\r\n\r\n', '\r\r', '\r', 'data: x', 'x'.repeat(300), '\n\r\n'];
  let seed = 7;
  const next = () => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  const found: number[] = [];
  const ends: number[] = [];
  for (let round = 0; round < 3_000; round++) {
    const text = Array.from(
      { length: Math.floor(next() * 6) },
      () => parts[Math.floor(next() * parts.length)],
    );
    const block = Buffer.from(`${text.join('')}.`);
    for (const offset of [0, 1, block.length - 1, block.length, Math.floor(next() * block.length)]) {
      found.push(findEventStart(block, offset));
      ends.push(findEventsEnd(block.subarray(0, offset)));
    }
  }
  expect(found).toEqual(ends);
});
