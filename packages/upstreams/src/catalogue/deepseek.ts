import { defineModels } from './define-models.ts';

/**
 * DeepSeek. Prices: https://api-docs.deepseek.com/quick_start/pricing, at peak hours: other hours cost half, and prices
 * here do not depend on the time. Cache writes are cache misses and cost as much as input.
 */
export const deepSeekModels = defineModels('deepseek', [
  {
    id: 'deepseek-flash',
    title: 'DeepSeek V4.1 Flash',
    contextTokens: 1_000_000,
    maxOutputTokens: 384_000,
    usdPerMtok: { input: '0.3', output: '1.2', cacheRead: '0.006' },
    capabilities: ['vision', 'tools', 'parallel_tools', 'structured_output', 'reasoning', 'prompt_caching'],
  },
  {
    id: 'deepseek-v4-pro',
    title: 'DeepSeek V4 Pro',
    contextTokens: 1_000_000,
    maxOutputTokens: 384_000,
    usdPerMtok: { input: '1.32', output: '3.96', cacheRead: '0.044' },
    capabilities: ['tools', 'parallel_tools', 'structured_output', 'reasoning', 'prompt_caching'],
  },
]);
