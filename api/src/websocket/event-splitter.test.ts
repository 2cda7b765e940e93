import { expect, it } from 'vitest';
import { EventSplitter, findLargeData } from './event-splitter.ts';

const STREAM = [
  'event: response.created\ndata: {"type":"response.created"}\n\n',
  ': ping\n\n',
  'data:{"type":"a",\ndata:"b":1}\r\n\r\n',
  'event: x\r\ndata: {"c":"\u00c3\u00a4"}\r\rdata: {"d":1}\n\n',
  'data: {"e":1}\n\r\ndata: {"f":1}\r\n\n',
].join('');
const DATA = [
  '{"type":"response.created"}',
  '{"type":"a",\n"b":1}',
  '{"c":"\u00c3\u00a4"}',
  '{"d":1}',
  '{"e":1}',
  '{"f":1}',
];

it('reads the data of events, however they are cut', () => {
  for (let size = 1; size <= STREAM.length; size += 1) {
    const splitter = new EventSplitter();
    const found: string[] = [];
    for (let at = 0; at < STREAM.length; at += size)
      found.push(...splitter.push(STREAM.slice(at, at + size)));
    expect([size, found]).toEqual([size, DATA]);
  }
});

it('keeps an event that is not complete', () => {
  expect(new EventSplitter().push('data: {"a":1}\n')).toEqual([]);
});

const JSON_TEXT = `{"text":"${'ä data: '.repeat(1_000)}"}`;

it.each([
  `event: a\ndata: ${JSON_TEXT}\n\n`,
  `event: a\r\ndata:${JSON_TEXT}\r\n\r\n`,
  `id: 1\rdata: ${JSON_TEXT}\r\r`,
  `data: ${JSON_TEXT}\n\n`,
])('finds the data of a large event: case %#', (event) => {
  const bytes = Buffer.from(event);
  expect(findLargeData(bytes)?.toString()).toBe(JSON_TEXT);
  expect(new EventSplitter().push(bytes.toString('latin1'))).toEqual([
    Buffer.from(JSON_TEXT).toString('latin1'),
  ]);
});

it.each([
  `data: {"a":\ndata: "${'b'.repeat(5_000)}"}\n\n`,
  `data: ${JSON_TEXT}\n\ndata: {}\n\n`,
  `data: ${JSON_TEXT}`,
  `: ping\n\n`,
])('leaves other bytes to the splitter: case %#', (event) => {
  expect(findLargeData(Buffer.from(event))).toBe(null);
});
