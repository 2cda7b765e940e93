import { expect, it } from 'vitest';
import { losesWork } from './loses-work.ts';
import { EMPTY_PLAYGROUND } from './playground-state.ts';

const SHARED = { prompt: 'Hi', system: 'Be brief.', tools: '' };

it('finds messages, images and texts that a shared link would replace', () => {
  const turn = { kind: 'user' as const, id: 1, text: 'Hi', image: null, toolResults: [] };
  const image = { name: 'a.png', mediaType: 'image/png', base64: 'AAAA' };
  for (const work of [
    { conversations: [[], [turn]] },
    { image },
    { draft: 'Hello' },
    { system: 'Be long.' },
    { tools: '[]' },
  ])
    expect(losesWork({ ...EMPTY_PLAYGROUND, ...work }, SHARED)).toBe(true);
});

it('finds nothing in an empty playground, or in one that the link has filled in', () => {
  expect(losesWork({ ...EMPTY_PLAYGROUND, conversations: [[]], draft: ' ' }, SHARED)).toBe(false);
  expect(losesWork({ ...EMPTY_PLAYGROUND, draft: 'Hi', system: 'Be brief.' }, SHARED)).toBe(false);
});
