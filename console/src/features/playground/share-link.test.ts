import { expect, it } from 'vitest';
import { decodeShare, encodeShare } from './share-link.ts';

const SHARED = { prompt: 'Größe? 日本 🙂', system: 'Be brief.', tools: '[{ "name": "find" }]' };

it('reads what a link contains, in any script', () => {
  const fragment = encodeShare(SHARED, 'sk-secret');
  expect(fragment).toMatch(/^#share=[\w-]+$/);
  expect(decodeShare(fragment ?? '')).toEqual(SHARED);
});

it('omits empty parts', () => {
  const fragment = encodeShare({ prompt: 'Hi', system: '', tools: '' }, null) ?? '';
  expect(fragment.length).toBeLessThan(40);
  expect(decodeShare(fragment)).toEqual({ prompt: 'Hi', system: '', tools: '' });
});

it('makes no link that contains the key or is too long', () => {
  expect(encodeShare({ ...SHARED, prompt: 'Why does sk-secret fail?' }, 'sk-secret')).toBeNull();
  expect(encodeShare({ ...SHARED, prompt: 'x'.repeat(8_000) }, null)).toBeNull();
});

it.each([
  '#share=',
  '#share=%%%',
  `#share=${btoa('[]')}`,
  `#share=${btoa('{"prompt":1}')}`,
  `#share=${'A'.repeat(9_000)}`,
])('says that %.20s is broken', (fragment) => {
  expect(decodeShare(fragment)).toBe('broken');
});

it('ignores other fragments', () => {
  expect(decodeShare('')).toBe('none');
  expect(decodeShare('#answer-1-fn-1')).toBe('none');
});
