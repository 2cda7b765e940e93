import { Buffer } from 'node:buffer';
import { threadTimeMs } from '@tollgate/testing/thread-time';
import { expect, it } from 'vitest';
import { hasManyMembers } from './has-many-members.ts';

const join = (member: (at: number) => string, count: number) =>
  Buffer.from(`{${Array.from({ length: count }, (_, at) => member(at)).join(',')}}`);

it.each([
  ['plain', (at: number) => `"m${at}":1`],
  ['with white space before the colon', (at: number) => `"m${at}" \n\t:1`],
  ['ending in a backslash', (at: number) => `"m${at}\\\\":1`],
  ['nested', (at: number) => `"m${at}":{"a":{}}`],
])('counts members that are %s', (_, member) => {
  expect(hasManyMembers(join(member, 2_001), 2_000)).toBe(true);
});

it('counts no colons of texts and of few members', () => {
  expect(
    hasManyMembers(
      join((at) => `"m${at}":"a: b, \\"c\\": d"`, 1_999),
      2_000,
    ),
  ).toBe(false);
  expect(hasManyMembers(Buffer.from(`{"a":"${'x: y '.repeat(20_000)}"}`), 2_000)).toBe(false);
  expect(hasManyMembers(Buffer.from(`{"a":"${'\\"k\\":1,'.repeat(10_000)}"}`), 2_000)).toBe(false);
});

it('takes well below a millisecond for the largest body that is asked about', () => {
  const body = Buffer.from(`{"a":"${'":'.repeat(60_000)}`);
  const spaces = Buffer.from(`{"a"${' '.repeat(120_000)}:1}`);
  const ms = threadTimeMs(() => {
    for (let round = 0; round < 20; round++) hasManyMembers(round % 2 === 0 ? body : spaces, 2_000);
  });
  expect(ms).toBeLessThan(100);
});
