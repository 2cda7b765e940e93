import type { ModelCapability } from '@tollgate/core/model-capabilities';
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

/** Google Gemini. Prices: https://ai.google.dev/gemini-api/docs/pricing; ends: https://ai.google.dev/gemini-api/docs/deprecations */
export const geminiModels = defineModels('gemini', [
  {
    id: 'gemini-2.5-flash-lite',
    title: 'Gemini 2.5 Flash-Lite',
    contextTokens: 1_048_576,
    maxOutputTokens: 65_535,
    usdPerMtok: { input: '0.1', output: '0.4', cacheRead: '0.01' },
    capabilities: GEMINI,
  },
  {
    id: 'gemini-2.5-flash',
    title: 'Gemini 2.5 Flash',
    contextTokens: 1_048_576,
    maxOutputTokens: 65_535,
    usdPerMtok: { input: '0.3', output: '2.5', cacheRead: '0.03' },
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
    capabilities: GEMINI,
    retiresOn: '2026-12-01',
  },
  {
    id: 'gemini-3-flash-preview',
    title: 'Gemini 3 Flash (preview)',
    contextTokens: 1_048_576,
    maxOutputTokens: 65_535,
    usdPerMtok: { input: '0.5', output: '3', cacheRead: '0.05' },
    capabilities: GEMINI,
  },
  {
    id: 'gemini-3.1-flash-lite',
    title: 'Gemini 3.1 Flash-Lite',
    contextTokens: 1_048_576,
    maxOutputTokens: 65_536,
    usdPerMtok: { input: '0.25', output: '1.5', cacheRead: '0.025' },
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
    capabilities: GEMINI,
  },
  {
    id: 'gemini-3.5-flash',
    title: 'Gemini 3.5 Flash',
    contextTokens: 1_048_576,
    maxOutputTokens: 65_535,
    usdPerMtok: { input: '1.5', output: '9', cacheRead: '0.15' },
    capabilities: GEMINI,
  },
]);
