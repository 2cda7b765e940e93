import type { ModelCapability } from '@tollgate/core/models/model-capabilities';
import { defineModels } from './define-models.ts';

const CLAUDE: readonly ModelCapability[] = [
  'vision',
  'pdf_input',
  'tools',
  'parallel_tools',
  'structured_output',
  'reasoning',
  'prompt_caching',
];

/**
 * Anthropic. Regional prices start with Opus 4.6 and Sonnet 4.6
 * (https://platform.claude.com/docs/en/manage-claude/data-residency). Code execution is billed by the hour and has no rate
 * per call. Batch prices are left out: batches have no endpoint here. Prices:
 * https://docs.anthropic.com/en/docs/about-claude/pricing; retirement:
 * https://docs.anthropic.com/en/docs/about-claude/model-deprecations
 */
export const anthropicModels = defineModels('anthropic', [
  {
    id: 'claude-haiku-4-5',
    title: 'Claude Haiku 4.5',
    contextTokens: 200_000,
    maxOutputTokens: 64_000,
    usdPerMtok: { input: '1', output: '5', cacheRead: '0.1', cacheWrite: '1.25', cacheWrite1h: '2' },
    rates: { 'tool_calls:web_search': '10', 'tool_calls:web_fetch': '0' },
    capabilities: CLAUDE,
  },
  {
    id: 'claude-haiku-4-5-20251001',
    title: 'Claude Haiku 4.5 (2025-10-01)',
    contextTokens: 200_000,
    maxOutputTokens: 64_000,
    usdPerMtok: { input: '1', output: '5', cacheRead: '0.1', cacheWrite: '1.25', cacheWrite1h: '2' },
    rates: { 'tool_calls:web_search': '10', 'tool_calls:web_fetch': '0' },
    capabilities: CLAUDE,
  },
  {
    id: 'claude-sonnet-4-5',
    title: 'Claude Sonnet 4.5',
    contextTokens: 200_000,
    maxOutputTokens: 64_000,
    usdPerMtok: { input: '3', output: '15', cacheRead: '0.3', cacheWrite: '3.75', cacheWrite1h: '6' },
    longInput: {
      aboveInputTokens: 200_000,
      input: '6',
      output: '22.5',
      cacheRead: '0.6',
      cacheWrite: '7.5',
      cacheWrite1h: '12',
    },
    rates: { 'tool_calls:web_search': '10', 'tool_calls:web_fetch': '0' },
    capabilities: CLAUDE,
    retiresOn: '2026-11-30',
  },
  {
    id: 'claude-sonnet-4-5-20250929',
    title: 'Claude Sonnet 4.5 (2025-09-29)',
    contextTokens: 200_000,
    maxOutputTokens: 64_000,
    usdPerMtok: { input: '3', output: '15', cacheRead: '0.3', cacheWrite: '3.75', cacheWrite1h: '6' },
    longInput: {
      aboveInputTokens: 200_000,
      input: '6',
      output: '22.5',
      cacheRead: '0.6',
      cacheWrite: '7.5',
      cacheWrite1h: '12',
    },
    rates: { 'tool_calls:web_search': '10', 'tool_calls:web_fetch': '0' },
    capabilities: CLAUDE,
    retiresOn: '2026-11-30',
  },
  {
    id: 'claude-sonnet-4-6',
    title: 'Claude Sonnet 4.6',
    contextTokens: 1_000_000,
    maxOutputTokens: 64_000,
    usdPerMtok: { input: '3', output: '15', cacheRead: '0.3', cacheWrite: '3.75', cacheWrite1h: '6' },
    rates: { 'tool_calls:web_search': '10', 'tool_calls:web_fetch': '0', 'inference_geo:us': '1.1x' },
    capabilities: CLAUDE,
  },
  {
    id: 'claude-sonnet-5',
    title: 'Claude Sonnet 5',
    contextTokens: 1_000_000,
    maxOutputTokens: 128_000,
    usdPerMtok: { input: '2', output: '10', cacheRead: '0.2', cacheWrite: '2.5', cacheWrite1h: '4' },
    rates: { 'tool_calls:web_search': '10', 'tool_calls:web_fetch': '0', 'inference_geo:us': '1.1x' },
    capabilities: CLAUDE,
  },
  {
    id: 'claude-opus-4-1',
    title: 'Claude Opus 4.1',
    contextTokens: 200_000,
    maxOutputTokens: 32_000,
    usdPerMtok: { input: '15', output: '75', cacheRead: '1.5', cacheWrite: '18.75', cacheWrite1h: '30' },
    rates: { 'tool_calls:web_search': '10', 'tool_calls:web_fetch': '0' },
    capabilities: CLAUDE,
    retiresOn: '2026-08-05',
  },
  {
    id: 'claude-opus-4-5',
    title: 'Claude Opus 4.5',
    contextTokens: 200_000,
    maxOutputTokens: 64_000,
    usdPerMtok: { input: '5', output: '25', cacheRead: '0.5', cacheWrite: '6.25', cacheWrite1h: '10' },
    rates: { 'tool_calls:web_search': '10', 'tool_calls:web_fetch': '0' },
    capabilities: CLAUDE,
  },
  {
    id: 'claude-opus-4-6',
    title: 'Claude Opus 4.6',
    contextTokens: 1_000_000,
    maxOutputTokens: 128_000,
    usdPerMtok: { input: '5', output: '25', cacheRead: '0.5', cacheWrite: '6.25', cacheWrite1h: '10' },
    rates: {
      'tool_calls:web_search': '10',
      'tool_calls:web_fetch': '0',
      'inference_geo:us': '1.1x',
      'speed:fast': '6x',
    },
    capabilities: CLAUDE,
  },
  {
    id: 'claude-opus-4-7',
    title: 'Claude Opus 4.7',
    contextTokens: 1_000_000,
    maxOutputTokens: 128_000,
    usdPerMtok: { input: '5', output: '25', cacheRead: '0.5', cacheWrite: '6.25', cacheWrite1h: '10' },
    rates: {
      'tool_calls:web_search': '10',
      'tool_calls:web_fetch': '0',
      'inference_geo:us': '1.1x',
      'speed:fast': '6x',
    },
    capabilities: CLAUDE,
  },
  {
    id: 'claude-opus-4-8',
    title: 'Claude Opus 4.8',
    contextTokens: 1_000_000,
    maxOutputTokens: 128_000,
    usdPerMtok: { input: '5', output: '25', cacheRead: '0.5', cacheWrite: '6.25', cacheWrite1h: '10' },
    rates: {
      'tool_calls:web_search': '10',
      'tool_calls:web_fetch': '0',
      'inference_geo:us': '1.1x',
      'speed:fast': '2x',
    },
    capabilities: CLAUDE,
  },
  {
    id: 'claude-opus-5',
    title: 'Claude Opus 5',
    contextTokens: 1_000_000,
    maxOutputTokens: 128_000,
    usdPerMtok: { input: '5', output: '25', cacheRead: '0.5', cacheWrite: '6.25', cacheWrite1h: '10' },
    rates: {
      'tool_calls:web_search': '10',
      'tool_calls:web_fetch': '0',
      'inference_geo:us': '1.1x',
      'speed:fast': '2x',
    },
    capabilities: CLAUDE,
  },
]);
