import { expect, it } from 'vitest';
import { needOfModel } from './search-models.ts';

it.each([
  'gpt-4o-search-preview',
  'gpt-4o-mini-search-preview-2025-03-11',
  'openai/gpt-4o-search-preview',
  'gpt-5-search-api',
  'gpt-5-search-api-2025-10-14',
])('%s is billed one search per response', (model) => {
  expect(needOfModel(model)).toMatchObject({ tool: 'web_search', maxCalls: 1, leastCalls: 1 });
});

it.each(['gpt-4o', 'gpt-4o-search', 'my-search-preview', 'gpt-4o-search-preview-tuned', 'sonar'])(
  '%s is not',
  (model) => {
    expect(needOfModel(model)).toBeNull();
  },
);
