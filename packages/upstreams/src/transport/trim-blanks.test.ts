import { threadTimeMs } from '@tollgate/testing/thread-time';
import { expect, it } from 'vitest';
import { trimBlanks } from './trim-blanks.ts';

it('removes spaces and tabs around a value, and nothing else', () => {
  expect(trimBlanks('\t a b\u00a0 \t')).toBe('a b\u00a0');
  expect(trimBlanks('a')).toBe('a');
  expect(trimBlanks(' \t')).toBe('');
});

it('reads a value with many blanks in little time', () => {
  const value = `a${' '.repeat(200_000)}b`;
  expect(threadTimeMs(() => expect(trimBlanks(value)).toBe(value))).toBeLessThan(1_000);
});
