import { expect, it } from 'vitest';
import { findSampleModel } from './sample-model.ts';
import type { CatalogueModel } from './trpc.ts';

function getModel(id: string, outputUsd: string, rest: Partial<CatalogueModel> = {}): CatalogueModel {
  const classes = {
    inputUsd: '1',
    outputUsd,
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

const MODELS = [
  getModel('an-embedding', '0', { capabilities: ['embeddings'] }),
  getModel('costly', '50'),
  getModel('ending', '0.40', { retiresAt: '2026-12-11' }),
  getModel('cheap', '0.60'),
  getModel('medium', '9'),
  getModel('unavailable', '0.1', { availability: 'no_route' }),
];

it('is the available chat model with the lowest price, and without a retirement date', () => {
  expect(findSampleModel(MODELS)?.id).toBe('cheap');
});

it('is one that the key may use', () => {
  expect(findSampleModel(MODELS, ['medium', 'costly', 'an-embedding'])?.id).toBe('medium');
  expect(findSampleModel(MODELS, ['ending', 'an-embedding'])?.id).toBe('ending');
  expect(findSampleModel(MODELS, ['an-embedding', 'unavailable'])).toBeUndefined();
});
