import { expect, it } from 'vitest';
import { readFallbackHeader } from './fallback-header.ts';

const names = (count: number) => Array.from({ length: count }, (_, at) => `model-${at}`);

it('reads the fallback models that a caller allows', () => {
  expect(readFallbackHeader(null)).toEqual({ ok: true, value: null });
  expect(readFallbackHeader('none')).toEqual({ ok: true, value: new Set() });
  expect(readFallbackHeader(' a ,b')).toEqual({ ok: true, value: new Set(['a', 'b']) });
  expect(readFallbackHeader(names(32).join(','))).toEqual({ ok: true, value: new Set(names(32)) });
  expect(readFallbackHeader('x'.repeat(200)).ok).toBe(true);
});

it.each([
  ['', 'no name'],
  ['a,,b', 'an empty name'],
  ['a,none', 'none with another name'],
  ['x'.repeat(201), 'a name that is too long'],
  [names(33).join(','), 'too many names'],
])('refuses %j: %s', (value) => {
  expect(readFallbackHeader(value)).toMatchObject({ ok: false, error: { code: 'invalid_request' } });
});
