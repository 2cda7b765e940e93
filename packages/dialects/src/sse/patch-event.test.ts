import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openAiResponsesStreamRules } from '../openai-responses/stream-rules.ts';
import { getText } from '../stream-tap.fixture.ts';
import { StreamTap } from '../stream-tap.ts';

const SECRET = 'org-SECRET1234567';
const redact = (text: string) => text.replaceAll(SECRET, '[redacted]');
const IMAGE = 'iVBORw0KGgo'.repeat(40_000);

/** @returns what the caller gets of a stream that is cut into pieces of `size` bytes */
function relay(stream: string, { size = 10_000, largeBytes = 64 * 1024 } = {}): string {
  const tap = new StreamTap(openAiResponsesStreamRules, redact, { largeBytes });
  const bytes = Buffer.from(stream);
  const passed: string[] = [];
  for (let at = 0; at < bytes.length; at += size)
    passed.push(getText(tap.push(bytes.subarray(at, at + size))));
  return Buffer.from(passed.join('') + getText(tap.finish().rest), 'latin1').toString();
}

const failed = (error: unknown, output: unknown = []) =>
  JSON.stringify({
    type: 'response.failed',
    response: {
      id: 'resp_1',
      tools: [{ type: 'function', name: 'größe', error: 'none' }],
      text: { format: { type: 'text' } },
      output: [{ type: 'image_generation_call', result: IMAGE }, ...[output].flat()],
      error,
      metadata: { order: '17' },
    },
  });
const ERROR = { code: 'server_error', message: `Bad key for ${SECRET}: größer` };

describe('a large event with an error that is redacted', () => {
  it.each([
    ['an image', `event: response.failed\ndata: ${failed(ERROR)}\n\n`],
    ['lines that end with CR and LF', `event: response.failed\r\ndata:${failed(ERROR)}\r\n\r\n`],
    ['lines that end with CR', `event: response.failed\rdata:${failed(ERROR)}\r\r`],
    ['a comment', `: ping\nid: 7\nevent: response.failed\ndata: ${failed(ERROR)}\n\n`],
    ['two errors', `data: ${failed(ERROR, { type: 'mcp_call', error: [{ message: SECRET }, 'ünder'] })}\n\n`],
    ['data in several lines', `data: ${failed(ERROR).replaceAll(',"', ',\ndata:  "')}\n\n`],
    ['blanks', `data: ${failed(ERROR).replaceAll('":', '" : \t').replaceAll(',"', ' , "')}\n\n`],
    [
      'text that looks like a mark',
      `data: ${failed(ERROR, { type: 'x', text: '\0left out:5', note: '\0left out:440000' })}\n\n`,
    ],
    [
      'numbers that JavaScript cannot hold',
      `data: ${failed(ERROR).replace('"17"', '12345678901234567890')}\n\n`,
    ],
    ['no blank line at its end', `data: ${failed(ERROR)}\n`],
  ])('keeps all other bytes: %s', (_name, event) => {
    for (const size of [1_000, 65_537, 1_000_000])
      expect(relay(event, { size })).toBe(event.replaceAll(SECRET, '[redacted]'));
  });

  it('loses only values of the error', () => {
    const sent = `data: ${failed({ message: SECRET, file: IMAGE, [`at ${SECRET}`]: 1 })}\n\n`;
    const error = JSON.stringify({ message: '[redacted]', file: '[redacted]', 'at [redacted]': 1 });
    const kept = failed('ERROR').replace('"ERROR"', error);
    expect(relay(sent)).toBe(`data: ${kept}\n\n`);
  });

  it('has no credential in other lines', () => {
    const data = `data: ${failed(ERROR)}\n`;
    const kept = data.replace(SECRET, '[redacted]');
    expect(relay(`: ${SECRET}\n${data}: x\n\n`)).toBe(`${kept}\n`);
    expect(relay(`: ${SECRET}\r\n${data}\n`, { size: 1 })).toBe(`${kept}\n`);
    expect(relay(`${data}: ${'x'.repeat(2_000)} ${SECRET}\n\n`)).toBe(`${kept}\n`);
    expect(relay(`${data}: ${SECRET}`)).toBe(kept);
    expect(relay(`${data}: ${SECRET}\n`)).toBe(kept);
  });

  it('loses the values of the outline if a member is given twice, or in too many lines', () => {
    const twice = failed(ERROR).replace('"code"', `"message":"${SECRET}","code"`);
    const lines = ': x\n'.repeat(20);
    for (const sent of [`data: ${twice}\n\n`, `${lines}data: ${failed(ERROR)}\n\n`]) {
      const passed = relay(sent);
      expect(passed).not.toContain(SECRET);
      expect(passed).not.toContain('left out');
      expect(passed).toContain('Bad key for [redacted]');
    }
  });

  it('means the same as a small one', () => {
    const parts = fc.constantFrom(
      'a',
      SECRET,
      '"',
      '\\',
      'ü',
      `x ${SECRET}`,
      '\0left out:3',
      'tools',
      'error',
    );
    const values = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.array(parts, { maxLength: 3 }).map((words) => words.join(' ')),
        fc.constantFrom(1, -2.5e7, true, null, '#'.repeat(70_000)),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('tools', 'text', 'error', 'item', '7', 'message'), tie('value'), {
          maxKeys: 4,
        }),
      ),
    })).value;
    const clear = (text: string) => JSON.parse(text.slice('data: '.length)) as Record<string, unknown>;
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 90_000 }), (value, size) => {
        const event = { type: 'response.failed', response: { output: [value], error: { message: SECRET } } };
        const sent = `data: ${JSON.stringify(event)}\n\n`;
        // Long strings are redacted in errors, and names such as `tools` are not read in large events.
        const whole = JSON.stringify(clear(relay(sent, { largeBytes: Infinity })));
        const large = JSON.stringify(clear(relay(sent, { size, largeBytes: 10 })));
        const strip = (json: string) => json.replaceAll(/"error":(?:"#+"|"\[redacted\]")/g, '"error":0');
        if (!/#|tools|text|left out/.test(sent)) expect(strip(large)).toBe(strip(whole));
        expect(clear(relay(sent, { size, largeBytes: 10 }))['response']).toHaveProperty(
          ['error', 'message'],
          '[redacted]',
        );
      }),
      { numRuns: 100 },
    );
  });
});
