import { expect, it } from 'vitest';
import { getModel } from './catalogue-model.fixture.ts';
import { findSampleModel } from './sample-model.ts';

const MODELS = [
  getModel('an-embedding', { capabilities: ['embeddings'] }, { outputUsd: '0' }),
  getModel('costly', {}, { outputUsd: '50' }),
  getModel('ending', { retiresAt: '2026-12-11' }, { outputUsd: '0.40' }),
  getModel('cheap', {}, { outputUsd: '0.60' }),
  getModel('medium', {}, { outputUsd: '9' }),
  getModel('unavailable', { availability: 'no_route' }, { outputUsd: '0.1' }),
];

it('is the available chat model with the lowest price, and without a retirement date', () => {
  expect(findSampleModel(MODELS)?.id).toBe('cheap');
});

it('is one that the key may use', () => {
  expect(findSampleModel(MODELS, ['medium', 'costly', 'an-embedding'])?.id).toBe('medium');
  expect(findSampleModel(MODELS, ['ending', 'an-embedding'])?.id).toBe('ending');
  expect(findSampleModel(MODELS, ['an-embedding', 'unavailable'])).toBeUndefined();
});
