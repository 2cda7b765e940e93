import type { ModelCapability } from '@tollgate/core/models/model-capabilities';
import { defineModels } from './define-models.ts';

const GENERAL: readonly ModelCapability[] = ['vision', 'tools', 'structured_output'];

/** Mistral. Prices: https://mistral.ai/pricing */
export const mistralModels = defineModels('mistral', [
  {
    id: 'mistral-small-latest',
    title: 'Mistral Small',
    contextTokens: 131_072,
    maxOutputTokens: 131_072,
    usdPerMtok: { input: '0.06', output: '0.18' },
    capabilities: GENERAL,
  },
  {
    id: 'mistral-medium-latest',
    title: 'Mistral Medium',
    contextTokens: 262_144,
    maxOutputTokens: 262_144,
    usdPerMtok: { input: '1.5', output: '7.5' },
    capabilities: ['vision', 'tools', 'structured_output', 'reasoning'],
  },
  {
    id: 'mistral-large-latest',
    title: 'Mistral Large',
    contextTokens: 262_144,
    maxOutputTokens: 262_144,
    usdPerMtok: { input: '0.5', output: '1.5' },
    capabilities: GENERAL,
  },
  {
    id: 'magistral-small-latest',
    title: 'Magistral Small',
    contextTokens: 40_000,
    maxOutputTokens: 40_000,
    usdPerMtok: { input: '0.5', output: '1.5' },
    capabilities: ['tools', 'structured_output', 'reasoning'],
  },
  {
    id: 'magistral-medium-latest',
    title: 'Magistral Medium',
    contextTokens: 40_000,
    maxOutputTokens: 40_000,
    usdPerMtok: { input: '2', output: '5' },
    capabilities: ['tools', 'structured_output', 'reasoning'],
  },
  {
    id: 'codestral-latest',
    title: 'Codestral',
    contextTokens: 32_000,
    maxOutputTokens: 8_191,
    usdPerMtok: { input: '1', output: '3' },
    capabilities: ['structured_output'],
  },
  {
    id: 'devstral-latest',
    title: 'Devstral',
    contextTokens: 256_000,
    maxOutputTokens: 256_000,
    usdPerMtok: { input: '0.4', output: '2' },
    capabilities: ['tools', 'structured_output'],
  },
  {
    id: 'ministral-8b-latest',
    title: 'Ministral 8B',
    contextTokens: 262_144,
    maxOutputTokens: 262_144,
    usdPerMtok: { input: '0.15', output: '0.15' },
    capabilities: GENERAL,
  },
  {
    id: 'pixtral-large-latest',
    title: 'Pixtral Large',
    contextTokens: 128_000,
    maxOutputTokens: 128_000,
    usdPerMtok: { input: '2', output: '6' },
    capabilities: GENERAL,
  },
  {
    id: 'open-mistral-nemo',
    title: 'Mistral Nemo',
    contextTokens: 128_000,
    maxOutputTokens: 128_000,
    usdPerMtok: { input: '0.3', output: '0.3' },
    capabilities: ['structured_output'],
  },
]);
