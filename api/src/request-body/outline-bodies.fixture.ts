import { Buffer } from 'node:buffer';
import { createMutator } from '@tollgate/testing/bad-input/mutate-body';
import { createSeededRandom, type SeededRandom } from '@tollgate/testing/bad-input/seeded-random';

/** Beginnings of texts, as JSON: addresses, blanks and their escapes, sums of a text and what looks like an address. */
const BEGINS = [
  'Some words about a fox. ',
  'Note: this is no address. ',
  'https://example.com/',
  'HTTPS:\\/\\/generativelanguage.googleapis.com/v1/',
  'gs://bucket/',
  'g\\u0073:\\u002f/bucket/',
  'data:image/png;base64,',
  'DATA:audio/wav;base64,',
  '   \\n\\tfile:/etc/passwd ',
  '\\u00a0\u00a0 s3://bucket ',
  'mailto:ann@example.com ',
  './a/path ',
  '\\\\share\\\\folder ',
  'functions.read:0 ',
  'thinking.signature:',
  'a--sig1-b--id1-c',
  '    '.repeat(40),
  '',
];
/** What texts are made of, as JSON; the last ones are not valid. */
const PIECES = [
  'plain words ',
  'x',
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB',
  '\\n',
  '\\"',
  '\\\\',
  '\\u00e9\\u4e2d',
  '\\ud83d\\ude00',
  'é',
  '中文',
  '😀',
  'key: value, [1,2] {"a"}'.replaceAll('"', '\\"'),
  '\\ud83d',
  '\\udc00 ',
  '\\ud83d\\u0041',
  '\\x',
  '\\u12g4',
  '\u0001',
];
const VALID_PIECES = PIECES.length - 6;
/** Bytes that are put into a body or over a byte of it. */
const BYTES = [
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  ' ',
  '\t',
  '0',
  '1.5',
  '1e400',
  '-',
  'null',
  'tru',
  '\u007f',
  'é',
  '_',
  'A',
];
/** Members whose texts are cut. */
const CUT = /"(?:text|content|thinking|arguments|input|output|url|data|image_url|file_data|signature)" ?: ?$/;
const STRING = /"(?:[^"\\]|\\.)*"/g;

/**
 * Draws bodies with long texts, of which most are valid.
 * @param seed the same seed draws the same bodies
 */
export function createOutlineBodies(seed: number, valid: readonly Record<string, unknown>[]) {
  const random = createSeededRandom(seed);
  const mutator = createMutator(seed, valid, 2_000);
  return (): Buffer => {
    const isMutant = random.below(3) === 0;
    const body = { model: 'model', ...random.pick(valid) };
    let text = isMutant
      ? mutator.next('model').body.toString('latin1')
      : Buffer.from(JSON.stringify(random.below(2) === 0 ? body : withMore(body))).toString('latin1');
    for (let left = 1 + random.below(3); left > 0; left -= 1) text = lengthen(text, random);
    if (random.below(3) === 0) text = damage(text, random);
    return Buffer.from(text, 'latin1');
  };
}

/** A conversation whose own entries are not its first ones. */
function withMore(body: Record<string, unknown>): Record<string, unknown> {
  const more = Array.from({ length: 8 }, () => ({ role: 'user', content: 'Go on.' }));
  const entries = ['messages', 'input'].flatMap((name) => {
    const list = body[name];
    return Array.isArray(list) ? [[name, [...more, ...(list as unknown[])]]] : [];
  });
  return { ...body, ...Object.fromEntries(entries) };
}

/** Puts a long text in place of a value of the body. */
function lengthen(text: string, random: SeededRandom): string {
  const strings = [...text.matchAll(STRING)].filter(
    ({ 0: string, index }) => text[index + string.length] !== ':' || random.below(50) === 0,
  );
  const cut = strings.filter(({ index }) => CUT.test(text.slice(Math.max(0, index - 20), index)));
  const found = cut.length > 0 && random.below(4) > 0 ? cut : strings;
  if (found.length === 0) return text;
  const { 0: string, index } = random.pick(found);
  const pieces = random.below(30) === 0 ? PIECES.length : VALID_PIECES;
  const size = random.pick([240, 300, 400, 800, 1_000, 3_000, 5_000]);
  const kinds = [PIECES[random.below(pieces)], PIECES[random.below(pieces)], PIECES[random.below(pieces)]];
  let long = random.pick(BEGINS);
  while (long.length < size) long += kinds[random.below(3)] ?? '';
  const latin1 = Buffer.from(long).toString('latin1');
  return `${text.slice(0, index)}"${latin1}"${text.slice(index + string.length)}`;
}

function damage(text: string, random: SeededRandom): string {
  const at = random.below(text.length);
  const put = Buffer.from(random.pick(BYTES)).toString('latin1');
  return text.slice(0, at) + put + text.slice(at + random.below(3));
}
