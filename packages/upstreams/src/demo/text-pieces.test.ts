import { threadTimeMs } from '@tollgate/testing/thread-time';
import { expect, it } from 'vitest';
import { splitJson, splitWords } from './text-pieces.ts';

it('a word with the whitespace before it is one piece', () => {
  expect([...splitWords('one\n two ')]).toEqual(['one', '\n two']);
});

it('JSON is split between its strings and its punctuation', () => {
  const pieces = ['{', '"a\\"{\\\\"', ':', '[', '1.5', ',', 'null', ']', '}'];
  expect([...splitJson(pieces.join(''))]).toEqual(pieces);
});

it.each(['x', '"', '\\', '{'])('a JSON string of ten million %j takes little time', (character) => {
  const json = JSON.stringify({ answer: character.repeat(10_000_000) });
  expect(threadTimeMs(() => expect([...splitJson(json)]).toHaveLength(5))).toBeLessThan(1_000);
});
