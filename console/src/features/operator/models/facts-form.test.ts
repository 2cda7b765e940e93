import { expect, it } from 'vitest';
import { factsFormSchema, NO_FACTS } from './facts-form.ts';

it('parses model details into the server input', () => {
  const typed = { ...NO_FACTS, title: ' Mine ', contextTokens: '200,000', retiresAt: '2026-12-11' };
  expect(factsFormSchema.parse({ ...typed, capabilities: ['tools', 'vision'] })).toEqual({
    title: 'Mine',
    contextTokens: 200_000,
    maxOutputTokens: null,
    capabilities: ['vision', 'tools'],
    retiresAt: '2026-12-11T00:00:00Z',
  });
});

it.each([
  ['contextTokens', { contextTokens: 'many' }],
  ['contextTokens', { contextTokens: '0' }],
  ['maxOutputTokens', { contextTokens: '1000', maxOutputTokens: '1001' }],
])('reports an error at %s for %o', (path, change) => {
  const { error } = factsFormSchema.safeParse({ ...NO_FACTS, ...change });
  expect(error?.issues.map((issue) => issue.path.join('.'))).toEqual([path]);
});
