import { expect, it } from 'vitest';
import { providerHeadersSchema } from './provider-headers.ts';

const getProblems = (headers: { name: string; value: string | null }[]) =>
  providerHeadersSchema.safeParse(headers).error?.issues.map((issue) => issue.path.join('.')) ?? [];

it('accepts headers and lowercases their names', () => {
  const headers = [
    { name: ' X-Team ', value: 'blue' },
    { name: 'openai-organization', value: null },
  ];
  expect(providerHeadersSchema.parse(headers)).toEqual([
    { name: 'x-team', value: 'blue' },
    { name: 'openai-organization', value: null },
  ]);
});

it.each([
  'Authorization',
  'Proxy-Authorization',
  'Host',
  'Content-Length',
  'Content-Type',
  'Connection',
  'Keep-Alive',
  'TE',
  'Trailer',
  'Transfer-Encoding',
  'Upgrade',
  'Expect',
  'Accept-Encoding',
  'Cookie',
  'x team',
  'x-team:',
  'x-\r\nhost',
  '',
])('refuses the name %j', (name) => {
  expect(getProblems([{ name, value: 'v' }])).toEqual(['0.name']);
});

it.each(['', 'a\r\nhost: b', 'a\0', '→', 'v'.repeat(4_001)])('rejects the value %j', (value) => {
  expect(getProblems([{ name: 'x-team', value }])).toEqual(['0.value']);
});

it('limits the number and total size of headers, and rejects duplicates', () => {
  const many = (count: number, value: string) =>
    Array.from({ length: count }, (_, index) => ({ name: `x-${index}`, value }));
  expect(getProblems(many(20, 'v'))).toEqual([]);
  expect(getProblems(many(21, 'v'))).toEqual(['']);
  expect(getProblems(many(2, 'v'.repeat(3_000)))).toEqual(['']);
  expect(getProblems([...many(1, 'v'), { name: 'X-0', value: 'w' }])).toEqual(['1.name']);
});
