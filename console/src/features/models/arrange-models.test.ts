import { describe, expect, it } from 'vitest';
import type { CatalogueModel } from '../../lib/trpc.ts';
import { arrangeModels } from './arrange-models.ts';

function modelOf(id: string, rest: Partial<CatalogueModel> = {}, inputUsd = '1.00'): CatalogueModel {
  const classes = {
    inputUsd,
    outputUsd: '2.00',
    cacheReadUsd: null,
    cacheWriteUsd: null,
    cacheWrite1hUsd: null,
  };
  return {
    id,
    title: '',
    availability: 'available',
    contextTokens: null,
    maxOutputTokens: null,
    capabilities: [],
    retiresAt: null,
    prices: { ...classes, longInput: null, rates: [] },
    planPrices: null,
    ...rest,
  };
}

const idsOf = (models: CatalogueModel[]) => models.map(({ id }) => id);

describe('the list of models', () => {
  it('shows those that can be called, and the others when asked', () => {
    const models = [modelOf('b'), modelOf('a', { availability: 'no_route' })];
    expect(idsOf(arrangeModels(models, {}))).toEqual(['b']);
    expect(idsOf(arrangeModels(models, { show: 'all' }))).toEqual(['a', 'b']);
  });

  it('finds every word in the id or in the title', () => {
    const models = [modelOf('gpt-5-mini'), modelOf('x-1', { title: 'Mini of X' })];
    expect(idsOf(arrangeModels(models, { q: 'MINI' }))).toEqual(['gpt-5-mini', 'x-1']);
    expect(idsOf(arrangeModels(models, { q: 'mini x' }))).toEqual(['x-1']);
  });

  it('keeps those with a capability', () => {
    const models = [modelOf('blind'), modelOf('seeing', { capabilities: ['vision'] })];
    expect(idsOf(arrangeModels(models, { can: 'vision' }))).toEqual(['seeing']);
  });

  it('sorts prices as amounts, not as text, and leaves those without one to the end either way', () => {
    const models = [
      modelOf('ten', {}, '10.00'),
      modelOf('two', {}, '2.00'),
      modelOf('none', { prices: null }),
    ];
    expect(idsOf(arrangeModels(models, { sort: 'input' }))).toEqual(['two', 'ten', 'none']);
    expect(idsOf(arrangeModels(models, { sort: 'input', down: true }))).toEqual(['ten', 'two', 'none']);
  });
});
