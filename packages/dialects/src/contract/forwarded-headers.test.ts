import { expect, it } from 'vitest';
import { buildContract } from './contract.ts';
import { findUnknownBetas, fitHeader, fitQuery } from './forwarded-headers.ts';

const contract = buildContract('messages', {
  members: {},
  betas: ['known-feature'],
  query: { beta: /^true$/ },
});

it.each(['anthropic-beta', 'openai-beta'])('only known beta features of %s are forwarded', (name) => {
  expect(fitHeader(contract, { name, value: 'known-feature-2026-01-01, other' })).toEqual({
    value: 'known-feature-2026-01-01',
    dropped: ['beta.other'],
  });
  expect(fitHeader(contract, { name, value: 'other' })).toEqual({ value: null, dropped: ['beta.other'] });
  expect(findUnknownBetas(contract, [name], () => 'other')).toEqual(['beta.other']);
});

it.each([
  ['?beta=true', '?beta=true'],
  ['?beta=other', ''],
  ['?beta=true&model=b', '?beta=true'],
  ['?Beta=true', ''],
  ['?beta=trueish&beta=true', '?beta=true'],
  ['', ''],
])('of the query %s the provider gets "%s"', (query, sent) => {
  expect(fitQuery(contract, query)).toBe(sent);
});
