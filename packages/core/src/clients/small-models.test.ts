import { expect, it } from 'vitest';
import { findSmallModel } from './small-models.ts';

it.each([
  ['claude-opus-5-5', ['claude-opus-5-5', 'claude-haiku-4-5', 'gpt-6-luna'], 'claude-haiku-4-5'],
  ['claude-opus-5-5', ['claude-haiku-4-5', 'claude-haiku-5-5'], 'claude-haiku-5-5'],
  ['gpt-6.2-sol', ['gpt-6.2-sol', 'gpt-5.6-luna'], 'gpt-5.6-luna'],
  ['gpt-6.2-sol', ['gpt-6.2-sol', 'claude-haiku-5-5'], 'gpt-6.2-sol'],
  ['team-coder', ['team-coder', 'gpt-6-luna'], 'team-coder'],
])('with %s and the models %j, small tasks go to %s', (model, usable, expected) => {
  expect(findSmallModel(model, usable)).toBe(expected);
});
