import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OversizeEventError } from './oversize-event.ts';
import { createSseParser, type SseEvent } from './parse-events.ts';

function parse(bytes: Buffer, cuts: readonly number[] = [], largeBytes?: number): SseEvent[] {
  const parser = createSseParser(undefined, largeBytes);
  const events: SseEvent[] = [];
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    events.push(...parser.push(bytes.subarray(from, cut)));
    from = cut;
  }
  return [...events, ...parser.finish()];
}

const STREAM = Buffer.from(
  '\uFEFF: comment\r\n\r\nevent: one\ndata: a\ndata:b\rdata\n\r\n\ndata: Grüße 🎉\r\r' +
    'id: 7\nretry: 5\nevent\nunknown: x\ndata:  two blanks\n\nevent: empty\n\ndata: [DONE]',
);
const EVENTS = [
  { event: 'one', data: 'a\nb\n' },
  { event: null, data: 'Grüße 🎉' },
  { event: null, data: ' two blanks' },
  { event: null, data: '[DONE]' },
];

describe('createSseParser', () => {
  it('reads line ends of every kind, comments, names and data of several lines', () => {
    expect(parse(STREAM)).toEqual(EVENTS);
  });

  it('reads the same events wherever the bytes are cut', () => {
    for (let cut = 0; cut <= STREAM.length; cut += 1) expect(parse(STREAM, [cut])).toEqual(EVENTS);
    expect(
      parse(
        STREAM,
        Array.from(STREAM, (_byte, at) => at),
      ),
    ).toEqual(EVENTS);
  });

  it.each([1, 2, 5, 12, 30])(
    'reads the same events if those of more than %i bytes are large',
    (largeBytes) => {
      expect(parse(STREAM, [], largeBytes)).toEqual(EVENTS);
      for (let cut = 0; cut <= STREAM.length; cut += 1)
        expect(parse(STREAM, [cut], largeBytes)).toEqual(EVENTS);
      expect(
        parse(
          STREAM,
          Array.from(STREAM, (_byte, at) => at),
          largeBytes,
        ),
      ).toEqual(EVENTS);
    },
  );

  it('returns an event as soon as its blank line has arrived', () => {
    const parser = createSseParser();
    expect(parser.push(Buffer.from('data: 1\r\n\r'))).toEqual([{ event: null, data: '1' }]);
    expect(parser.push(Buffer.from('\ndata: 2\n\n'))).toEqual([{ event: null, data: '2' }]);
  });

  it('returns an event without a blank line when the stream closes', () => {
    expect(parse(Buffer.from('event: x\ndata: {"a"'))).toEqual([{ event: 'x', data: '{"a"' }]);
    expect(parse(Buffer.from('event: x\n'))).toEqual([]);
  });

  it('removes a byte-order mark only at the start', () => {
    expect(parse(Buffer.from('data: a\n\n\uFEFFdata: b\n\n'))).toEqual([{ event: null, data: 'a' }]);
  });

  it('refuses a line, and an event of many lines, of which more than 16 MiB must be read', () => {
    const piece = Buffer.alloc(1024 * 1024, 'x');
    const endless = createSseParser();
    endless.push(Buffer.from('data: '));
    expect(() => {
      for (let at = 0; at < 17; at += 1) endless.push(piece);
    }).toThrow(OversizeEventError);
    const lines = createSseParser();
    expect(() => {
      for (let at = 0; at < 17; at += 1)
        lines.push(Buffer.concat([Buffer.from('data:'), piece, Buffer.from('\n')]));
    }).toThrow(OversizeEventError);
    expect([...endless.finish(), ...lines.finish()]).toEqual([]);
  });

  it('refuses an event of more than 64 MiB, even if its data lines are empty', () => {
    const parser = createSseParser();
    parser.push(Buffer.from(`data:{"b64_json":"${'x'.repeat(63 * 1024 * 1024)}"}\n`));
    const piece = Buffer.from('data:\n'.repeat(87_381));
    parser.push(piece);
    expect(() => {
      for (let pushed = 0; pushed < 3; pushed += 1) parser.push(piece);
    }).toThrow(OversizeEventError);
    expect(parser.finish()).toEqual([]);
  });

  it('reads back any data that is written line by line', () => {
    const texts = fc.array(
      fc.string({ unit: 'binary' }).filter((text) => text !== ''),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(texts, fc.constantFrom('\n', '\r', '\r\n'), fc.array(fc.nat(300)), (datas, end, cuts) => {
        const written = datas.map((text) => text.split(/\r\n|\r|\n/));
        const bytes = Buffer.from(
          written.map((lines) => lines.map((line) => `data: ${line}${end}`).join('') + end).join(''),
        );
        const places = cuts.map((cut) => Math.min(cut, bytes.length)).toSorted((a, b) => a - b);
        const expected = written
          .map((lines) => Buffer.from(lines.join('\n')).toString())
          .filter((data) => data !== '');
        expect(parse(bytes, places).map((event) => event.data)).toEqual(expected);
        expect(parse(bytes, places, 10).map((event) => event.data)).toEqual(expected);
      }),
    );
  });
});
