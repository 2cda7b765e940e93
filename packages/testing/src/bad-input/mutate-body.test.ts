import { describe, expect, it } from 'vitest';
import { createMutator } from './mutate-body.ts';
import { VALID_BODIES } from './valid-bodies.ts';

const draw = (seed: number, count: number) => {
  const mutator = createMutator(seed, VALID_BODIES['openai-chat']);
  return Array.from({ length: count }, () => mutator.next('the-model'));
};

describe('mutateBody', () => {
  it('draws the same bodies only from the same seed', () => {
    const once = draw(7, 200).map(({ body }) => body.toString('latin1'));
    expect(draw(7, 200).map(({ body }) => body.toString('latin1'))).toEqual(once);
    expect(draw(8, 200).map(({ body }) => body.toString('latin1'))).not.toEqual(once);
  });

  it('draws mutations of every kind', () => {
    const kinds = draw(1, 3_000)
      .map(({ mutations }) => mutations.join('; '))
      .join('\n');
    for (const kind of [
      'left out',
      'renamed',
      'doubled',
      'odd text',
      'swapped',
      'deep',
      'a list of',
      'a text of',
    ])
      expect(kinds).toContain(kind);
    for (const kind of ['cut off', 'no UTF-8', 'stray byte', 'twice', 'byte-order mark'])
      expect(kinds).toContain(kind);
  });

  it('rarely draws the same body twice', () => {
    const bodies = draw(3, 2_000).map(({ body }) => body.toString('latin1'));
    expect(new Set(bodies).size).toBeGreaterThan(1_800);
  });
});
