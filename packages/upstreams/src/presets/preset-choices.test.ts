/**
 * What each preset says about contract, names of models and usage. A new preset needs an entry, so that none of the three
 * is left out by mistake.
 */
import { getInputTokens } from '@tollgate/core/money/money';
import { isServedModel } from '@tollgate/dialects/served/is-served-model';
import { findUsage } from '@tollgate/dialects/usage/find-usage';
import { readUsage } from '@tollgate/dialects/usage/read-usage';
import { expect, it } from 'vitest';
import { PRESETS } from './presets.ts';

interface PresetChoice {
  /** `own`: it accepts or prices members that its dialect does not have; `dialect`: it has none. */
  contract: 'own' | 'dialect';
  /** A model as requested, and its name in a response, if some responses have another name. */
  served: readonly [asked: string, served: string] | 'as requested';
  /** The end of a response with 10 input tokens, 4 of them cached if it reports that, and 5 output tokens. */
  usage: Record<string, unknown>;
}

const TOTALS = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const PLAIN = { usage: TOTALS };
const OPENAI = { usage: { ...TOTALS, prompt_tokens_details: { cached_tokens: 4 } } };
const ANTHROPIC = { usage: { input_tokens: 6, cache_read_input_tokens: 4, output_tokens: 5 } };

const CHOICES: Readonly<Record<string, PresetChoice>> = {
  openai: { contract: 'own', served: ['gpt-4.1', 'gpt-4.1-2025-04-14'], usage: OPENAI },
  anthropic: {
    contract: 'own',
    served: ['claude-sonnet-4-5', 'claude-sonnet-4-5-20250929'],
    usage: ANTHROPIC,
  },
  'azure-openai': { contract: 'own', served: ['gpt-4.1', 'gpt-4.1-2025-04-14'], usage: OPENAI },
  gemini: { contract: 'own', served: ['gemini-flash-latest', 'gemini-2.5-flash'], usage: OPENAI },
  'vertex-gemini': {
    contract: 'own',
    served: ['google/gemini-2.5-flash', 'gemini-2.5-flash'],
    usage: OPENAI,
  },
  'vertex-anthropic': {
    contract: 'dialect',
    served: ['claude-sonnet-4-5@20250929', 'claude-sonnet-4-5-20250929'],
    usage: ANTHROPIC,
  },
  'bedrock-anthropic': {
    contract: 'dialect',
    served: ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5-20250929'],
    usage: ANTHROPIC,
  },
  'bedrock-openai': {
    contract: 'dialect',
    served: ['openai.gpt-oss-120b-1:0', 'openai.gpt-oss-120b-1:0'],
    usage: PLAIN,
  },
  mistral: { contract: 'own', served: ['mistral-small-latest', 'mistral-small-2506'], usage: PLAIN },
  groq: {
    contract: 'own',
    served: 'as requested',
    usage: { x_groq: { usage: { ...TOTALS, prompt_time: 0.01, total_time: 0.02 } } },
  },
  deepseek: {
    contract: 'own',
    served: ['deepseek-chat', 'deepseek-v3.2'],
    usage: { usage: { ...TOTALS, prompt_cache_hit_tokens: 4, prompt_cache_miss_tokens: 6 } },
  },
  xai: { contract: 'own', served: ['grok-4-fast', 'grok-4-fast-reasoning'], usage: OPENAI },
  together: { contract: 'own', served: 'as requested', usage: { usage: { ...TOTALS, cached_tokens: 4 } } },
  fireworks: { contract: 'own', served: 'as requested', usage: OPENAI },
  openrouter: {
    contract: 'own',
    served: ['openai/gpt-4.1:nitro', 'openai/gpt-4.1'],
    usage: { usage: { ...OPENAI.usage, cost: 0.01 } },
  },
  ollama: { contract: 'own', served: 'as requested', usage: PLAIN },
  vllm: { contract: 'own', served: 'as requested', usage: PLAIN },
};

it('every preset states its contract, the names of its models and its usage', () => {
  expect(Object.keys(CHOICES).toSorted(), 'Add the preset to CHOICES, see CONTRIBUTING.md.').toEqual(
    PRESETS.map(({ name }) => name).toSorted(),
  );
});

it.each(PRESETS.map((preset) => [preset.name, preset] as const))('%s does what it states', (name, preset) => {
  const choice = CHOICES[name];
  if (choice === undefined) throw new Error(`no choices of ${name}`);
  expect(Object.keys(preset.contract).length > 0 ? 'own' : 'dialect').toBe(choice.contract);
  if (choice.served !== 'as requested') expect(isServedModel(...choice.served)).toBe(true);
  const found = findUsage(choice.usage);
  const { usage } = readUsage(found ?? {});
  expect([getInputTokens(usage), usage.outputTokens]).toEqual([10, 5]);
  if (JSON.stringify(choice.usage).includes('cache')) expect(usage.cacheReadTokens).toBe(4);
});
