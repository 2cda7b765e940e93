import type { SeededRandom } from './seeded-random.ts';

/** Values of every type and edge case, as JSON text; a few are invalid JSON. */
export const ODD_VALUES: readonly string[] = [
  'null',
  'true',
  'false',
  '0',
  '-1',
  '1.5',
  '-0',
  '1e999',
  '-1e999',
  '1e-999',
  '9007199254740993',
  '2147483648',
  '123456789012345678901234567890',
  '0.1e400',
  '""',
  '" "',
  '"0"',
  '"null"',
  '[]',
  '{}',
  '[[]]',
  '[null]',
  '[0]',
  '[""]',
  '[{}]',
  '[{"type":null}]',
  '{"type":"nope"}',
  '{"type":"text"}',
  '{"type":["text"]}',
  '{"role":"user"}',
  '{"0":"text","length":1}',
  '{"__proto__":{"model":"x"}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":"x","valueOf":1}',
  '"\\ud800"',
  '"\\u0000"',
  'NaN',
  'Infinity',
  'undefined',
  "'x'",
  '[1,]',
  '{"a":}',
  '01',
  '"unterminated',
];

/** Names and texts that are easily mistaken for something else. */
export const ODD_TEXTS: readonly string[] = [
  '',
  ' ',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  'type',
  'role',
  'content',
  'model',
  'stream',
  'nope',
  'null',
  '0',
  '../../etc/passwd',
  "'; DROP TABLE requests; --",
  '\u0000',
  '\ud83d\ude00',
  '\u202e\u2066',
  'data:image/png;base64,',
  'data:;base64,@@@@',
  'data:,',
  'http://169.254.169.254/latest/meta-data',
  '{"a":',
  '\n\ndata: [DONE]\n\n',
];

const nest = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`;
const repeat = (text: string, count: number) => `[${`${text},`.repeat(count - 1)}${text}]`;

/** An oversized value, as JSON text. */
export function drawHuge(random: SeededRandom): { text: string; name: string } {
  const depth = random.pick([99, 101, 1_000, 20_000, 200_000]);
  const count = random.pick([5_000, 50_000, 200_000]);
  switch (random.below(6)) {
    case 0:
      return { text: nest('[', ']', depth), name: `lists, ${depth} deep` };
    case 1:
      return { text: nest('{"a":', '}', depth), name: `objects, ${depth} deep` };
    case 2:
      return {
        text: nest('{"type":"object","properties":{"a":', '}}', depth),
        name: `a schema, ${depth} deep`,
      };
    case 3:
      return { text: repeat('0', count), name: `a list of ${count} numbers` };
    case 4:
      return { text: repeat('{"type":"text","text":"x"}', count), name: `a list of ${count} parts` };
    default:
      return { text: JSON.stringify('x'.repeat(count * 10)), name: `a text of ${count * 10} characters` };
  }
}
