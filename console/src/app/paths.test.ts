import { expect, it } from 'vitest';
import { toInternalPath } from './paths.ts';

it('returns to pages of this console', () => {
  expect(toInternalPath('/keys?state=ended')).toBe('/keys?state=ended');
});

it.each([
  '//elsewhere.example',
  '/\\elsewhere.example',
  'https://elsewhere.example',
  'javascript:alert(1)',
  '',
])('never returns to %s', (candidate) => {
  expect(toInternalPath(candidate)).toBeUndefined();
});
