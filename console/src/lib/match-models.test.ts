import { expect, it } from 'vitest';
import { matchModels } from './match-models.ts';

const models = ['claude-haiku-4-5', 'openai/gpt-5-mini', 'gpt-5', 'gpt-5-mini'].map((id) => ({ id }));
const idsFor = (text: string) => matchModels(models, text).map(({ id }) => id);

it('matches words in any order, prefix matches first', () => {
  expect(idsFor('GPT mini')).toEqual(['gpt-5-mini', 'openai/gpt-5-mini']);
  expect(idsFor('mini 5')).toEqual(['openai/gpt-5-mini', 'gpt-5-mini']);
});

it('returns all models for an empty query and none without a match', () => {
  expect(idsFor(' ')).toHaveLength(4);
  expect(idsFor('llama')).toEqual([]);
});
