import { expect, it } from 'vitest';
import { listCountedModels } from './list-counted-models.ts';

const routesTo = (...names: string[]) => names.map((upstreamModel) => ({ upstreamModel }));

it('input is counted once for models that count alike, and once more for each that counts differently', () => {
  const models = listCountedModels(
    routesTo('gpt-4.1', 'gpt-4.1-mini', 'claude-sonnet-4-5', 'llama-4'),
    'alias',
  );
  expect(models).toEqual(['gpt-4.1-mini', 'claude-sonnet-4-5', 'llama-4']);
});

it('input is counted by the requested name if no route is known', () => {
  expect(listCountedModels([], 'gpt-4.1')).toEqual(['gpt-4.1']);
});
