import { describe, expect, it } from 'vitest';
import { getModel } from '../../lib/catalogue-model.fixture.ts';
import type { CatalogueModel } from '../../lib/trpc.ts';
import { arrangeModels } from './arrange-models.ts';

const getIds = (models: CatalogueModel[]) => models.map(({ id }) => id);

describe('the list of models', () => {
  it('shows callable models, and the others on request', () => {
    const models = [getModel('b'), getModel('a', { availability: 'no_route' })];
    expect(getIds(arrangeModels(models, {}))).toEqual(['b']);
    expect(getIds(arrangeModels(models, { show: 'all' }))).toEqual(['a', 'b']);
  });

  it('finds every word in the id or in the title', () => {
    const models = [getModel('gpt-5-mini'), getModel('x-1', { title: 'Mini of X' })];
    expect(getIds(arrangeModels(models, { q: 'MINI' }))).toEqual(['gpt-5-mini', 'x-1']);
    expect(getIds(arrangeModels(models, { q: 'mini x' }))).toEqual(['x-1']);
  });

  it('keeps those with a capability', () => {
    const models = [getModel('blind'), getModel('seeing', { capabilities: ['vision'] })];
    expect(getIds(arrangeModels(models, { can: 'vision' }))).toEqual(['seeing']);
  });

  it('sorts prices as amounts, not as text, and leaves those without one to the end either way', () => {
    const models = [
      getModel('ten', {}, { inputUsd: '10.00' }),
      getModel('two', {}, { inputUsd: '2.00' }),
      getModel('none', { prices: null }),
    ];
    expect(getIds(arrangeModels(models, { sort: 'input' }))).toEqual(['two', 'ten', 'none']);
    expect(getIds(arrangeModels(models, { sort: 'input', down: true }))).toEqual(['ten', 'two', 'none']);
  });
});
