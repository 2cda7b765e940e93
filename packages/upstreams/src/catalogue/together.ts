import { defineModels } from './define-models.ts';

/** Open models at Together. Prices: https://www.together.ai/pricing */
export const togetherModels = defineModels('together', [
  {
    id: 'llama-3.3-70b-instruct',
    title: 'Llama 3.3 70B',
    upstreamModel: 'meta-llama/Llama-3.3-70B-Instruct-Turbo',
    contextTokens: null,
    maxOutputTokens: null,
    usdPerMtok: { input: '0.88', output: '0.88' },
    capabilities: ['tools', 'parallel_tools', 'structured_output'],
  },
  {
    id: 'deepseek-v3.1',
    title: 'DeepSeek V3.1',
    upstreamModel: 'deepseek-ai/DeepSeek-V3.1',
    contextTokens: 128_000,
    maxOutputTokens: 16_384,
    usdPerMtok: { input: '0.6', output: '1.7' },
    capabilities: ['tools', 'parallel_tools', 'reasoning'],
  },
  {
    id: 'qwen3-235b-a22b-instruct-2507',
    title: 'Qwen3 235B A22B (2507)',
    upstreamModel: 'Qwen/Qwen3-235B-A22B-Instruct-2507-tput',
    contextTokens: 262_000,
    maxOutputTokens: null,
    usdPerMtok: { input: '0.2', output: '6' },
    capabilities: ['tools', 'parallel_tools', 'structured_output'],
  },
  {
    id: 'gpt-oss-120b',
    title: 'GPT-OSS 120B',
    upstreamModel: 'openai/gpt-oss-120b',
    contextTokens: 131_072,
    maxOutputTokens: 131_072,
    usdPerMtok: { input: '0.15', output: '0.6' },
    capabilities: ['tools', 'parallel_tools', 'structured_output', 'reasoning'],
  },
  {
    id: 'glm-4.6',
    title: 'GLM-4.6',
    upstreamModel: 'zai-org/GLM-4.6',
    contextTokens: 200_000,
    maxOutputTokens: 200_000,
    usdPerMtok: { input: '0.6', output: '2.2' },
    capabilities: ['tools', 'parallel_tools', 'reasoning'],
  },
]);
