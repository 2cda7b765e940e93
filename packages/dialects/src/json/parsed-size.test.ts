import { Buffer } from 'node:buffer';
import { expect, it } from 'vitest';
import { parsedSize } from './parsed-size.ts';

const getSize = (json: string) => parsedSize(Buffer.from(json)) - 2 * json.length;

it('counts JSON punctuation outside of strings', () => {
  expect(getSize('[1,2,{"a":3}]')).toBe(190 + 40 + 40 + 190 + 180);
  expect(getSize(String.raw`"[,\"[,\\"`)).toBe(0);
  expect(getSize('"[[[')).toBe(0);
});

it.each([
  ['empty objects', `[${'{},'.repeat(200_000)}{}]`],
  ['numbers', `[${'1.5,'.repeat(200_000)}1]`],
  ['different names', `{${Array.from({ length: 200_000 }, (_, at) => `"k${at}":1`).join(',')}}`],
  ['objects with an index', `[${'{"35":1},'.repeat(200_000)}{}]`],
  ['different texts', `[${Array.from({ length: 200_000 }, (_, at) => `"t${at}"`).join(',')}]`],
])('the estimated parse size covers the actual size: %s', (_name, json) => {
  const before = process.memoryUsage().heapUsed;
  const parsed: unknown = JSON.parse(json);
  const took = process.memoryUsage().heapUsed - before;
  expect(parsed).not.toBeNull();
  expect(took).toBeLessThan(parsedSize(Buffer.from(json)) + 4 * 1024 * 1024);
});
