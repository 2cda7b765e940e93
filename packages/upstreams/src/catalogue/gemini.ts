import type { ModelCapability } from '@tollgate/core/models/model-capabilities';
import { defineModels } from './define-models.ts';

const GEMINI: readonly ModelCapability[] = [
  'vision',
  'pdf_input',
  'audio_input',
  'tools',
  'parallel_tools',
  'structured_output',
  'reasoning',
  'prompt_caching',
];

const GEMINI_4_RATES = {
  'service_tier:flex': '0.5x',
  'service_tier:priority': '1.8x',
  'tool_calls:web_search': '14',
};

/**
 * Google Gemini. Prices: https://ai.google.dev/gemini-api/docs/pricing; retirement:
 * https://ai.google.dev/gemini-api/docs/deprecations. Models from Gemini 3.7 on are of November 2026, with the price after an
 * introduction: Gemini 3.8 Flash costs half as much until 2026-12-31, Gemini 4 Argon until 2026-11-30.
 */
export const geminiModels = defineModels('gemini', [
  {
    id: 'gemini-2.5-flash-lite',
    title: 'Gemini 2.5 Flash-Lite',
    contextTokens: 1_048_576,
    maxOutputTokens: 65_535,
    usdPerMtok: { input: '0.1', output: '0.4', cacheRead: '0.01' },
    rates: { 'tokens:audio_input': '0.3', 'tool_calls:web_search': '35' },
    capabilities: GEMINI,
  },
  {
    id: 'gemini-2.5-flash',
    title: 'Gemini 2.5 Flash',
    contextTokens: 1_048_576,
    maxOutputTokens: 65_535,
    usdPerMtok: { input: '0.3', output: '2.5', cacheRead: '0.03' },
    rates: { 'tokens:audio_input': '1', 'tool_calls:web_search': '35' },
    capabilities: GEMINI,
    retiresOn: '2026-12-01',
  },
  {
    id: 'gemini-2.5-pro',
    title: 'Gemini 2.5 Pro',
    contextTokens: 1_048_576,
    maxOutputTokens: 65_535,
    usdPerMtok: { input: '1.25', output: '10', cacheRead: '0.125' },
    longInput: { aboveInputTokens: 200_000, input: '2.5', output: '15', cacheRead: '0.25' },
    rates: { 'tokens:audio_input': '1.25', 'tool_calls:web_search': '35' },
    capabilities: GEMINI,
    retiresOn: '2026-12-01',
  },
  {
    id: 'gemini-3-flash-preview',
    title: 'Gemini 3 Flash (preview)',
    contextTokens: 1_048_576,
    maxOutputTokens: 65_535,
    usdPerMtok: { input: '0.5', output: '3', cacheRead: '0.05' },
    rates: { 'tokens:audio_input': '1', 'service_tier:priority': '1.8x', 'tool_calls:web_search': '14' },
    capabilities: GEMINI,
  },
  {
    id: 'gemini-3.1-flash-lite',
    title: 'Gemini 3.1 Flash-Lite',
    contextTokens: 1_048_576,
    maxOutputTokens: 65_536,
    usdPerMtok: { input: '0.25', output: '1.5', cacheRead: '0.025' },
    rates: {
      'tokens:audio_input': '0.5',
      'service_tier:flex': '0.5x',
      'service_tier:priority': '1.8x',
      'tool_calls:web_search': '14',
    },
    capabilities: GEMINI,
    retiresOn: '2027-05-07',
  },
  {
    id: 'gemini-3.1-pro-preview',
    title: 'Gemini 3.1 Pro (preview)',
    contextTokens: 1_048_576,
    maxOutputTokens: 65_536,
    usdPerMtok: { input: '2', output: '12', cacheRead: '0.2' },
    longInput: { aboveInputTokens: 200_000, input: '4', output: '18', cacheRead: '0.4' },
    rates: { 'tokens:audio_input': '2', 'service_tier:priority': '1.8x', 'tool_calls:web_search': '14' },
    capabilities: GEMINI,
  },
  {
    id: 'gemini-3.5-flash',
    title: 'Gemini 3.5 Flash',
    contextTokens: 1_048_576,
    maxOutputTokens: 65_535,
    usdPerMtok: { input: '1.5', output: '9', cacheRead: '0.15' },
    rates: { 'service_tier:priority': '1.8x', 'tool_calls:web_search': '14' },
    capabilities: GEMINI,
  },
  {
    id: 'gemini-3.7-flash',
    title: 'Gemini 3.7 Flash',
    contextTokens: null,
    maxOutputTokens: null,
    usdPerMtok: { input: '1.5', output: '7.5', cacheRead: '0.15' },
    rates: { 'tokens:audio_input': '1.5' },
    capabilities: GEMINI,
  },
  {
    id: 'gemini-3.8-flash',
    title: 'Gemini 3.8 Flash',
    contextTokens: 1_048_576,
    maxOutputTokens: 65_536,
    usdPerMtok: { input: '1.5', output: '7.5', cacheRead: '0.15' },
    capabilities: GEMINI,
  },
  {
    id: 'gemini-4-hydrogen',
    title: 'Gemini 4 Hydrogen',
    contextTokens: 1_000_000,
    maxOutputTokens: null,
    usdPerMtok: { input: '1.5', output: '7.5', cacheRead: '0.075' },
    rates: GEMINI_4_RATES,
    capabilities: GEMINI,
  },
  {
    id: 'gemini-4-argon',
    title: 'Gemini 4 Argon',
    contextTokens: 1_000_000,
    maxOutputTokens: 64_000,
    usdPerMtok: { input: '4', output: '20', cacheRead: '0.2' },
    rates: { 'tool_calls:web_search': '14' },
    capabilities: GEMINI,
  },
  {
    id: 'gemini-4-neon',
    title: 'Gemini 4 Neon',
    contextTokens: 1_000_000,
    maxOutputTokens: 65_000,
    usdPerMtok: { input: '3', output: '15', cacheRead: '0.15' },
    rates: GEMINI_4_RATES,
    capabilities: GEMINI,
  },
]);
