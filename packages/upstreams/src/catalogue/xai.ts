import { defineModels } from './define-models.ts';

/** xAI. Prices and retirement: https://docs.x.ai/docs/models */
export const xaiModels = defineModels('xai', [
  {
    id: 'grok-4.3',
    title: 'Grok 4.3',
    contextTokens: 1_000_000,
    maxOutputTokens: 1_000_000,
    usdPerMtok: { input: '1.25', output: '2.5', cacheRead: '0.2' },
    longInput: { aboveInputTokens: 200_000, input: '2.5', output: '5', cacheRead: '0.4' },
    rates: {
      'tool_calls:web_search': '5',
      'tool_calls:code_execution': '5',
      'tool_calls:file_search': '2.5',
    },
    capabilities: ['vision', 'tools', 'structured_output', 'reasoning', 'prompt_caching'],
  },
]);
