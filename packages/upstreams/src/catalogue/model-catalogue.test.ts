import { MODEL_CAPABILITIES } from '@tollgate/core/models/model-capabilities';
import { modelFactsSchema } from '@tollgate/core/models/model-facts';
import { formatUsd, parseUsd, type LongInputPrices } from '@tollgate/core/money/money';
import { PLAIN_TERMS, toolCallRate } from '@tollgate/core/money/rates/rate-card';
import type { ServerTool } from '@tollgate/core/money/rates/rate-need';
import { resolveRates } from '@tollgate/core/money/rates/resolve-rates';
import { describe, expect, it } from 'vitest';
import { findPreset } from '../presets/presets.ts';
import type { CatalogueModel } from './define-models.ts';
import { isRetired, listModelsOfPreset, listOffers, MODEL_CATALOGUE } from './model-catalogue.ts';
import { findFacts, loadPublishedFacts, type PublishedFacts } from './published-facts.fixture.ts';

const facts = loadPublishedFacts();

/** Deliberate differences between the catalogue and the facts, by provider and field. */
const DELIBERATE: readonly { preset: string; ids?: readonly string[]; field: string; why: string }[] = [
  {
    preset: 'openai',
    ids: ['gpt-3.5-turbo', 'gpt-4', 'gpt-4-turbo'],
    field: 'prompt_caching',
    why: 'begins with GPT-4o: https://platform.openai.com/docs/guides/prompt-caching',
  },
  {
    preset: 'anthropic',
    field: 'parallel_tools',
    why: 'https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use#parallel-tool-use',
  },
  {
    preset: 'anthropic',
    field: 'longCacheWrite1h',
    why: 'the facts have none, published is twice the long input: https://docs.anthropic.com/en/docs/about-claude/pricing',
  },
  {
    preset: 'gemini',
    field: 'parallel_tools',
    why: 'https://ai.google.dev/gemini-api/docs/function-calling#parallel_function_calling',
  },
  {
    preset: 'deepseek',
    field: 'reasoning',
    why: 'https://api-docs.deepseek.com/guides/thinking_mode',
  },
  ...['input', 'output', 'cacheRead', 'cacheWrite', 'maxOutputTokens'].map((field) => ({
    preset: 'deepseek',
    field,
    why: 'changed on 2026-08-16, after the facts: https://api-docs.deepseek.com/quick_start/pricing',
  })),
];

/** Models newer than the facts. */
const NEWER_MODELS = new Set([
  'deepseek-flash',
  'gpt-5.6-luna',
  'gpt-5.6-terra',
  'gpt-5.6-sol',
  'gpt-6-luna',
  'gpt-6-sol',
  'gpt-6-astra',
  'gpt-6.1-terra',
  'gpt-6.1-sol',
  'gpt-6.2-sol',
  'gpt-6.2-astra',
  'claude-haiku-5-5',
  'claude-sonnet-5-5',
  'claude-opus-5-5',
  'claude-fable-5',
  'claude-fable-5-1',
  'claude-fable-5-2',
  'gemini-3.7-flash',
  'gemini-3.8-flash',
  'gemini-4-hydrogen',
  'gemini-4-argon',
  'gemini-4-neon',
]);

/** Capabilities missing in the facts. */
const NOT_IN_FACTS = new Set(['pdf_input', 'audio_input', 'embeddings']);

const nanoUsdPerMtok = (usd: string | undefined): bigint | null => (usd === undefined ? null : parseUsd(usd));

function omitHour(prices: LongInputPrices | null | undefined): Partial<LongInputPrices> | null {
  if (prices === undefined || prices === null) return null;
  const { cacheWrite1hNanoUsdPerMtok: _, ...rest } = prices;
  return rest;
}

function getFigures(model: CatalogueModel): Record<string, unknown> {
  const { prices } = model;
  return {
    contextTokens: model.facts.contextTokens,
    maxOutputTokens: model.facts.maxOutputTokens,
    input: prices.inputNanoUsdPerMtok,
    output: prices.outputNanoUsdPerMtok,
    cacheRead: prices.cacheReadNanoUsdPerMtok,
    cacheWrite: prices.cacheWriteNanoUsdPerMtok,
    cacheWrite1h: prices.cacheWrite1hNanoUsdPerMtok,
    longInput: omitHour(prices.longInput),
    longCacheWrite1h: prices.longInput?.cacheWrite1hNanoUsdPerMtok ?? null,
    ...Object.fromEntries(
      MODEL_CAPABILITIES.filter((name) => !NOT_IN_FACTS.has(name)).map((name) => [
        name,
        model.facts.capabilities.includes(name),
      ]),
    ),
  };
}

function figuresOfFacts(fact: PublishedFacts): Record<string, unknown> {
  const { longInput } = fact;
  // A price without a long-input value keeps its normal value.
  const long = { ...fact, ...longInput };
  return {
    contextTokens: fact.contextTokens,
    maxOutputTokens: fact.maxOutputTokens,
    input: nanoUsdPerMtok(fact.input),
    output: nanoUsdPerMtok(fact.output),
    cacheRead: nanoUsdPerMtok(fact.cacheRead),
    cacheWrite: nanoUsdPerMtok(fact.cacheWrite),
    cacheWrite1h: nanoUsdPerMtok(fact.cacheWrite1h),
    longCacheWrite1h: nanoUsdPerMtok(longInput?.cacheWrite1h),
    longInput:
      longInput === undefined
        ? null
        : {
            aboveInputTokens: longInput.aboveInputTokens,
            inputNanoUsdPerMtok: nanoUsdPerMtok(long.input),
            outputNanoUsdPerMtok: nanoUsdPerMtok(long.output),
            cacheReadNanoUsdPerMtok: nanoUsdPerMtok(long.cacheRead),
            cacheWriteNanoUsdPerMtok: nanoUsdPerMtok(long.cacheWrite),
          },
    ...Object.fromEntries(
      MODEL_CAPABILITIES.filter((name) => !NOT_IN_FACTS.has(name)).map((name) => [
        name,
        fact.capabilities.includes(name),
      ]),
    ),
  };
}

const isDeliberate = (model: CatalogueModel, field: string) =>
  DELIBERATE.some(
    (each) => each.preset === model.preset && each.field === field && (each.ids?.includes(model.id) ?? true),
  );

/** The facts cover completion models only. */
const isEmbedder = ({ facts: { capabilities } }: CatalogueModel) => capabilities.includes('embeddings');

const named = MODEL_CATALOGUE.map((model) => [`${model.preset} ${model.id}`, model] as const);
const published = named.filter(([, model]) => model.preset !== 'demo');

describe('published facts of a second source', () => {
  it.each(published.filter(([, model]) => !NEWER_MODELS.has(model.id) && !isEmbedder(model)))(
    'match the catalogue for %s, except the listed differences',
    (_, model) => {
      const fact = findFacts(facts, model);
      if (fact === undefined) throw new Error('the facts lack it');
      const compared = (figures: Record<string, unknown>) =>
        Object.fromEntries(Object.entries(figures).filter(([field]) => !isDeliberate(model, field)));
      expect(compared(getFigures(model))).toEqual(compared(figuresOfFacts(fact)));
      if (fact.retiresOn !== undefined) expect(model.facts.retiresAt).toEqual(new Date(fact.retiresOn));
    },
  );

  it('differ from the catalogue in each listed difference', () => {
    for (const { preset, field, ids } of DELIBERATE) {
      const differing = published.filter(([, model]) => {
        const fact = findFacts(facts, model);
        if (model.preset !== preset || fact === undefined) return false;
        return getFigures(model)[field] !== figuresOfFacts(fact)[field];
      });
      expect(differing.length).toBeGreaterThanOrEqual(ids?.length ?? 1);
    }
  });
});

describe('model catalogue', () => {
  it('lists each model of a provider once', () => {
    const keys = named.map(([key]) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.length).toBeGreaterThanOrEqual(60);
  });

  it('lists only providers that have a preset', () => {
    const presets = new Set(published.map(([, model]) => model.preset));
    expect([...presets].filter((preset) => findPreset(preset) === null)).toEqual([]);
    expect(presets.size).toBeGreaterThanOrEqual(9);
  });

  it('gives a model the same title at every provider', () => {
    for (const { id } of MODEL_CATALOGUE) {
      expect(new Set(listOffers(id).map((offer) => offer.facts.title)).size).toBe(1);
    }
    expect(listOffers('gpt-oss-120b').map((offer) => offer.preset)).toEqual([
      'groq',
      'together',
      'fireworks',
    ]);
  });

  it('charges embedding models for input only and requires a preset with an embeddings endpoint', () => {
    const embedders = MODEL_CATALOGUE.filter(isEmbedder);
    expect(embedders.length).toBeGreaterThanOrEqual(7);
    for (const { preset, prices } of embedders) {
      expect(findPreset(preset)?.endpoints.embeddings).toBe(true);
      expect(prices.inputNanoUsdPerMtok).toBeGreaterThan(0n);
      expect(prices.outputNanoUsdPerMtok).toBe(0n);
    }
  });

  it('never makes longer input cheaper', () => {
    for (const { prices } of MODEL_CATALOGUE) {
      const { longInput } = prices;
      if (longInput === undefined || longInput === null) continue;
      expect(longInput.inputNanoUsdPerMtok).toBeGreaterThanOrEqual(prices.inputNanoUsdPerMtok);
      expect(longInput.outputNanoUsdPerMtok).toBeGreaterThanOrEqual(prices.outputNanoUsdPerMtok);
    }
  });

  it('leaves a model out starting with its retirement date', () => {
    const [o3] = listOffers('o3');
    if (o3 === undefined) throw new Error('o3 is missing');
    const endMs = Date.parse('2026-12-11T00:00:00Z');
    expect([isRetired(o3, endMs - 1), isRetired(o3, endMs)]).toEqual([false, true]);
    expect(listModelsOfPreset('openai', endMs - 1)).toContain(o3);
    expect(listModelsOfPreset('openai', endMs)).not.toContain(o3);
    expect(listModelsOfPreset('openai', endMs).length).toBeGreaterThan(5);
  });
});

it('contains only facts that an operator could enter', () => {
  const refused = MODEL_CATALOGUE.filter(({ facts: { retiresAt, ...given } }) => {
    const terms = { ...given, retiresAt: retiresAt?.toISOString() ?? null };
    return !modelFactsSchema.safeParse(terms).success;
  });
  expect(refused.map(({ id }) => id)).toEqual([]);
});

it.each([
  ['openai', 'gpt-5-mini', { serviceTier: 'flex' }, '0.125', '1.00'],
  ['openai', 'gpt-5-mini', { serviceTier: 'priority' }, '0.45', '3.60'],
  ['openai', 'gpt-5.4', { serviceTier: 'priority' }, '5.00', '30.00'],
  ['anthropic', 'claude-opus-4-6', { speed: 'fast', inferenceGeo: 'us' }, '33.00', '165.00'],
  ['openai', 'gpt-6-luna', { serviceTier: 'priority' }, '0.20', '1.00'],
  ['gemini', 'gemini-3.1-flash-lite', { serviceTier: 'priority' }, '0.45', '2.70'],
])('prices %s %s with %o as published', (preset, id, terms, input, output) => {
  const model = MODEL_CATALOGUE.find((each) => each.preset === preset && each.id === id);
  if (model === undefined) throw new Error(`${id} is not in the catalogue`);
  const resolved = resolveRates(model.prices, { ...PLAIN_TERMS, ...terms });
  if (!resolved.ok) throw new Error(resolved.missing);
  expect(formatUsd(resolved.rates.inputNanoUsdPerMtok)).toBe(input);
  expect(formatUsd(resolved.rates.outputNanoUsdPerMtok)).toBe(output);
});

it.each<[string, string, ServerTool, string | null]>([
  ['openai', 'gpt-5', 'web_search', '10.00'],
  ['openai', 'gpt-5', 'web_search_preview', '10.00'],
  ['openai', 'gpt-5', 'file_search', '2.50'],
  ['openai', 'gpt-4o', 'web_search', '10.00'],
  ['openai', 'gpt-4.1', 'web_search', '10.00'],
  ['openai', 'gpt-4.1', 'web_search_preview', '25.00'],
  ['openai', 'gpt-4.1-mini', 'web_search_preview', '25.00'],
  ['openai', 'gpt-4.1-mini', 'web_search', null],
  ['openai', 'gpt-5', 'code_execution', null],
  ['anthropic', 'claude-sonnet-5', 'code_execution', null],
])('has the published rate of %s %s for calls of %s: %s', (preset, id, tool, usd) => {
  const model = MODEL_CATALOGUE.find((each) => each.preset === preset && each.id === id);
  const rate = model === undefined ? undefined : toolCallRate(model.prices, tool);
  expect(rate === undefined ? null : formatUsd(rate)).toBe(usd);
});

it('prices every Claude that runs in one region, and no other', () => {
  const regional = MODEL_CATALOGUE.filter(
    ({ preset, prices }) => preset === 'anthropic' && Object.hasOwn(prices.rates?.inferenceGeos ?? {}, 'us'),
  );
  expect(regional.map(({ id }) => id)).toEqual([
    'claude-sonnet-4-6',
    'claude-sonnet-5',
    'claude-opus-4-6',
    'claude-opus-4-7',
    'claude-opus-4-8',
    'claude-opus-5',
    'claude-haiku-5-5',
    'claude-sonnet-5-5',
    'claude-opus-5-5',
    'claude-fable-5',
    'claude-fable-5-1',
    'claude-fable-5-2',
  ]);
});
