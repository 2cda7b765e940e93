import { expect, it } from 'vitest';
import { matchModels } from './match-models.ts';

const models = ['claude-haiku-4-5', 'openai/gpt-5-mini', 'gpt-5', 'gpt-5-mini'].map((id) => ({ id }));
const idsFor = (text: string) => matchModels(models, text).map(({ id }) => id);

it('finds every word in any order, beginnings first', () => {
  expect(idsFor('GPT mini')).toEqual(['gpt-5-mini', 'openai/gpt-5-mini']);
  expect(idsFor('mini 5')).toEqual(['openai/gpt-5-mini', 'gpt-5-mini']);
});

it('lists all of them for nothing and none for what is not there', () => {
  expect(idsFor(' ')).toHaveLength(4);
  expect(idsFor('llama')).toEqual([]);
});
