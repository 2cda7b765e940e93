import { expect, it } from 'vitest';
import { toReturnPath } from './return-path.ts';

it('returns to pages of this console', () => {
  expect(toReturnPath('/keys?state=ended')).toBe('/keys?state=ended');
});

it.each([
  '//elsewhere.example',
  '/\\elsewhere.example',
  'https://elsewhere.example',
  'javascript:alert(1)',
  '/keys\n//elsewhere.example',
  `/${'a'.repeat(500)}`,
  '',
])('never returns to %s', (candidate) => {
  expect(toReturnPath(candidate)).toBeUndefined();
});
