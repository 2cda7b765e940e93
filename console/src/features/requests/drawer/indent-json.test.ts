import { expect, it } from 'vitest';
import { indentJson } from './indent-json.ts';

const VALUES = [
  {},
  [],
  { a: [], b: {}, c: null, d: [true, false, -1.5e-7, 'x'] },
  [[[{ deep: [1, { er: 'y' }] }]], ''],
  { 'a "key": {,}': 'with \\ and \n and "quotes" and [brackets], ✓', '': ' ' },
];

it.each(VALUES)('indents JSON like JSON.stringify: %j', (value) => {
  const expected = JSON.stringify(value, null, 2);
  expect(indentJson(JSON.stringify(value))).toBe(expected);
  expect(indentJson(`\n${JSON.stringify(value, null, '\t')} `)).toBe(expected);
});

it('keeps numbers and strings as written', () => {
  expect(indentJson('{"a":12345678901234567890,"b":1.0,"a":"\\u00e9, {x: [1]}"}')).toBe(
    '{\n  "a": 12345678901234567890,\n  "b": 1.0,\n  "a": "\\u00e9, {x: [1]}"\n}',
  );
});

it.each(['', '"text"', '12', '{"model": ', 'data: {"a":1}\n\n'])('returns null for %j', (text) => {
  expect(indentJson(text)).toBeNull();
});
