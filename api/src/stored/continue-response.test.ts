import { Buffer } from 'node:buffer';
import { JsonObjectBytes } from '@tollgate/dialects/json/edit-members';
import { threadTimeMs } from '@tollgate/testing/thread-time';
import { expect, it } from 'vitest';
import { mayContinue } from './continue-response.ts';

const key = { accountId: 'acc_1', keepsResponses: true };
const spec = { endpoint: '/v1/responses' } as const;
const SIZE = 16 * 1024 * 1024;

const fastestMs = (work: () => void) => Math.min(...Array.from({ length: 7 }, () => threadTimeMs(work)));

it.each([
  ['escaped letters', 'caf\\u00e9 '],
  ['backslashes', '\\\\'],
])('finds quickly that a large body with %s continues nothing', (_name, text) => {
  const body = Buffer.from(`{"model":"m","input":"${text.repeat(SIZE / text.length)}"}`);
  const searchEscapes = () => new JsonObjectBytes(body).mayHave('previous_response_id');
  const search = () => expect(mayContinue({ key, spec, body })).toBe(false);
  // The fastest of several: other work on the machine slows a single one down by a factor.
  expect(fastestMs(search)).toBeLessThan(fastestMs(searchEscapes) / 2);
});

it.each([
  ['a small body', '"previous_response_id":"x"', 10, true],
  ['a small body with an escaped name', '"previous\\u005fresponse_id":"x"', 10, true],
  ['a large body', '"previous_response_id":"x"', SIZE, true],
  ['a small body without it', '"previous":"x"', 10, false],
])('finds out whether %s may continue a response', (_name, member, size, isFound) => {
  const body = Buffer.from(`{"input":"${'a'.repeat(size)}",${member}}`);
  expect(mayContinue({ key, spec, body })).toBe(isFound);
  expect(mayContinue({ key: { ...key, keepsResponses: false }, spec, body })).toBe(false);
  expect(mayContinue({ key, spec: { endpoint: '/v1/chat/completions' }, body })).toBe(false);
});
