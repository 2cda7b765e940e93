import { expect, it } from 'vitest';
import { matchPattern } from './match-pattern.ts';

const MODELS = ['claude-a', 'claude-b', 'gpt-c'].map((id) => ({ id }));

it('finds the pattern in a search text and the models that it means', () => {
  expect(matchPattern(MODELS, ' claude-* ')).toEqual({
    option: { id: 'claude-*', count: 2 },
    models: [{ id: 'claude-a' }, { id: 'claude-b' }],
  });
  for (const text of ['claude-', '*', 'c*-*', 'Claude-*', 'none-*', ''])
    expect(matchPattern(MODELS, text)).toBeNull();
});
