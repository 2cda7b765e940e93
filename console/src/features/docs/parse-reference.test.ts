import { expect, it } from 'vitest';
import { parseReference } from './parse-reference.ts';

it('lists the endpoints of a description in its order', () => {
  const description = {
    openapi: '3.1.1',
    paths: {
      '/v1/models': { get: { summary: 'List', description: 'What `this` key may use' } },
      '/v1/messages': { post: { summary: 'Ask' }, parameters: [] },
    },
  };
  expect(parseReference(description)).toEqual([
    { method: 'GET', path: '/v1/models', summary: 'List', description: 'What this key may use' },
    { method: 'POST', path: '/v1/messages', summary: 'Ask', description: '' },
  ]);
});

it('rejects documents that are not OpenAPI descriptions', () => {
  expect(() => parseReference({ error: 'x' })).toThrow('paths');
});
