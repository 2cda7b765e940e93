import { defineModels } from './define-models.ts';

/** The model of the demo provider, priced so that a newcomer's first request is billed like any other. */
export const demoModels = defineModels('demo', [
  {
    id: 'tollgate-demo',
    title: 'Tollgate demo',
    contextTokens: 128_000,
    maxOutputTokens: 4_096,
    usdPerMtok: { input: '1', output: '4', cacheRead: '0.1' },
    capabilities: ['tools'],
  },
]);
