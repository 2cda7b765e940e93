import { expect, it } from 'vitest';
import { isNestedDeeper } from './nesting.ts';
import { parseJsonObject } from './parse-object.ts';

const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

it.each([
  ['the most levels', nested(10), false],
  ['one level more', nested(11), true],
  ['levels that are not closed', '['.repeat(11), true],
  ['brackets within a string', JSON.stringify({ a: '['.repeat(100) }), false],
  ['brackets behind an escaped quote', JSON.stringify({ a: `"${'['.repeat(100)}` }), false],
  ['brackets behind an escaped backslash', `{"a":"\\\\","b":${nested(10)}}`, true],
  ['many lists next to one another', `[${'[],'.repeat(100)}[]]`, false],
])('text with %s', (_name, text, isDeeper) => {
  expect(isNestedDeeper(text, 10)).toBe(isDeeper);
});

it('parses no object that is nested too deep to be written again', () => {
  expect(parseJsonObject(nested(1_000))).not.toBeNull();
  expect(parseJsonObject(nested(1_001))).toBeNull();
});
