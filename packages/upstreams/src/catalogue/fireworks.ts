import { defineModels } from './define-models.ts';

/** Open models at Fireworks. Prices: https://fireworks.ai/pricing */
export const fireworksModels = defineModels('fireworks', [
  {
    id: 'deepseek-v3.1',
    title: 'DeepSeek V3.1',
    upstreamModel: 'accounts/fireworks/models/deepseek-v3p1',
    contextTokens: 128_000,
    maxOutputTokens: 8_192,
    usdPerMtok: { input: '0.56', output: '1.68' },
    capabilities: ['structured_output', 'reasoning'],
  },
  {
    id: 'gpt-oss-120b',
    title: 'GPT-OSS 120B',
    upstreamModel: 'accounts/fireworks/models/gpt-oss-120b',
    contextTokens: 131_072,
    maxOutputTokens: 32_768,
    usdPerMtok: { input: '0.15', output: '0.6', cacheRead: '0.015' },
    capabilities: ['tools', 'structured_output', 'reasoning'],
  },
  {
    id: 'kimi-k2-instruct-0905',
    title: 'Kimi K2 (0905)',
    upstreamModel: 'accounts/fireworks/models/kimi-k2-instruct-0905',
    contextTokens: 262_144,
    maxOutputTokens: 32_768,
    usdPerMtok: { input: '0.6', output: '2.5' },
    capabilities: ['tools', 'structured_output'],
  },
  {
    id: 'glm-4.6',
    title: 'GLM-4.6',
    upstreamModel: 'accounts/fireworks/models/glm-4p6',
    contextTokens: 202_800,
    maxOutputTokens: 202_800,
    usdPerMtok: { input: '0.55', output: '2.19' },
    capabilities: ['tools', 'structured_output', 'reasoning'],
  },
]);
