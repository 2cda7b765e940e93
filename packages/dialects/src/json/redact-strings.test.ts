import { expect, it } from 'vitest';
import { redactStrings } from './redact-strings.ts';

const redact = (text: string) => text.replaceAll('secret', '[redacted]');

it('redacts texts at any depth, and members that hold credentials', () => {
  expect(
    redactStrings(
      { error: { message: 'a secret', list: ['secret', 1] }, headers: { Authorization: 'x' } },
      redact,
    ),
  ).toEqual({
    error: { message: 'a [redacted]', list: ['[redacted]', 1] },
    headers: { Authorization: '[redacted]' },
  });
});

it('returns the value itself if there is nothing to redact', () => {
  const value = { error: { message: 'plain', code: null, list: [1, 'two', { three: true }] } };
  expect(redactStrings(value, redact)).toBe(value);
});

it('leaves out texts beyond 64 Ki characters of all together', () => {
  const texts = Array.from({ length: 5 }, () => 'a'.repeat(20_000));
  expect(redactStrings({ texts }, redact)).toEqual({
    texts: [...texts.slice(0, 3), '[redacted]', '[redacted]'],
  });
});

it('charges a short text for the time of its search', () => {
  let searched = 0;
  const count = (text: string) => {
    searched += 1;
    return text;
  };
  redactStrings({ texts: Array.from({ length: 100_000 }, () => 'abcdef') }, count);
  expect(searched).toBeLessThanOrEqual((64 * 1024) / 32);
});

it('returns texts that are shorter than any secret without a search', () => {
  const value = { a: Array.from({ length: 10_000 }, (_entry, at) => ['', 'a', 'abcde'][at % 3]) };
  const fail = () => {
    throw new Error('It was searched');
  };
  expect(redactStrings(value, fail)).toBe(value);
});
