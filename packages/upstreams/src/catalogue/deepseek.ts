import type { ModelCapability } from '@tollgate/core/model-capabilities';
import { defineModels } from './define-models.ts';

const DEEPSEEK: readonly ModelCapability[] = [
  'tools',
  'parallel_tools',
  'structured_output',
  'reasoning',
  'prompt_caching',
];

/** DeepSeek. Prices: https://api-docs.deepseek.com/quick_start/pricing; a cache miss is written at the price of input */
export const deepSeekModels = defineModels('deepseek', [
  {
    id: 'deepseek-v4-flash',
    title: 'DeepSeek V4 Flash',
    contextTokens: 1_000_000,
    maxOutputTokens: 8_192,
    usdPerMtok: { input: '0.14', output: '0.28', cacheRead: '0.0028' },
    capabilities: DEEPSEEK,
  },
  {
    id: 'deepseek-v4-pro',
    title: 'DeepSeek V4 Pro',
    contextTokens: 1_000_000,
    maxOutputTokens: 8_192,
    usdPerMtok: { input: '0.435', output: '0.87', cacheRead: '0.003625' },
    capabilities: DEEPSEEK,
  },
]);
