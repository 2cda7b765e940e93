import { MODEL_CAPABILITIES } from '@tollgate/core/models/model-capabilities';
import type { RateCard } from '@tollgate/core/money/rates/rate-card';
import { toRateLines, toRates, type RateLine } from '@tollgate/core/money/rates/rate-lines';
import { listModels, putModel, type ModelFacts } from '@tollgate/db/queries/models/models';
import { hasSameTokenPrices } from '@tollgate/upstreams/catalogue/missing-rates';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withInstallation } from '../../installation.ts';
import { capabilitiesOption } from '../../options/capabilities-option.ts';
import { integerOption } from '../../options/integer-option.ts';
import { priceOption } from '../../options/price-option.ts';
import { ratesOption } from '../../options/rates-option.ts';
import { Failure } from '../../failure.ts';
import { whole } from '../../output/format.ts';
import { getOffer, hasOffer } from './catalogue-offer.ts';
import { getModel, modelJson } from './model-view.ts';

const tokens = integerOption({ min: 1, max: 2_147_483_647 });
const inputSchema = z.object({
  id: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(200, 'must have at most 200 characters')
    .regex(/^[^\s,]+$/, 'must not contain spaces or commas'),
  inputPrice: priceOption.optional(),
  outputPrice: priceOption.optional(),
  cacheReadPrice: priceOption.optional(),
  cacheWritePrice: priceOption.optional(),
  cacheWrite1hPrice: priceOption.optional(),
  rate: ratesOption.optional(),
  context: tokens.optional(),
  maxOutput: tokens.optional(),
  title: z.string().trim().min(1).max(200).optional(),
  capabilities: capabilitiesOption.optional(),
  preset: z.string().optional(),
  anyLength: z.boolean().optional(),
});
type Input = z.infer<typeof inputSchema>;

export function addModelAdd(model: Command): void {
  addCommand(model, {
    usage: 'add',
    summary: 'Add a model with its prices, or change prices of an existing model',
    options: [
      { flags: '--id <id>', about: 'model ID used in requests', required: true },
      { flags: '--input-price <usd>', about: 'USD per million input tokens (default: catalogue price)' },
      { flags: '--output-price <usd>', about: 'USD per million output tokens (default: catalogue price)' },
      {
        flags: '--cache-read-price <usd>',
        about: 'USD per million cached input tokens (default: input price)',
      },
      {
        flags: '--cache-write-price <usd>',
        about: 'USD per million tokens written to the cache (default: input price)',
      },
      {
        flags: '--cache-write-1h-price <usd>',
        about: 'USD per million tokens written to the 1-hour cache (default: cache-write price)',
      },
      {
        flags: '--rate <rate>',
        many: true,
        about:
          'an additional rate as KIND:NAME=VALUE; repeatable. Examples: service_tier:flex=0.5x, speed:fast=30/150/3, inference_geo:us=1.1x, tokens:audio_input=32 (per million), tool_calls:web_search=10 (per 1,000 calls)',
      },
      { flags: '--context <n>', about: 'context window in tokens' },
      { flags: '--max-output <n>', about: 'maximum output tokens' },
      { flags: '--title <title>', about: 'display name' },
      { flags: '--capabilities <names>', about: MODEL_CAPABILITIES.join(',') },
      {
        flags: '--preset <preset>',
        about: 'use the catalogue prices of this preset if several offer the model',
      },
      { flags: '--any-length', about: 'apply the given prices to input of any length' },
    ],
    input: inputSchema,
    examples: [
      'tollgate model add --id claude-sonnet-5',
      'tollgate model add --id gpt-5-mini --input-price 0.25 --output-price 2 --cache-read-price 0.025 --context 400000',
      'tollgate model add --id my-model --input-price 3 --output-price 15 --rate service_tier:flex=0.5x --rate tool_calls:web_search=10',
    ],
    run: async (input, { env, clock }) => {
      const now = new Date(clock.nowMs());
      const { change, after } = await withInstallation(env, async ({ db }) => {
        const known = (await listModels(db, now)).find(({ id }) => id === input.id)?.prices ?? null;
        const resolved = known === null ? resolveModel(input) : changeModel(input, known);
        const change = await putModel(db, { id: input.id, ...resolved, now });
        return { change, after: await getModel(db, input.id, new Date(clock.nowMs())) };
      });
      return { json: { ...modelJson(after), ...change }, text: textOf(input.id, change, after.routes) };
    },
  });
}

interface Resolved {
  facts: Partial<ModelFacts>;
  prices: RateCard;
}

/** Completes the given prices from the catalogue unless both token prices are given. */
function resolveModel(input: Input): Resolved {
  const typed = typedPrices(input);
  const facts = typedFacts(input);
  const { inputNanoUsdPerMtok, outputNanoUsdPerMtok } = typed;
  if (inputNanoUsdPerMtok !== undefined && outputNanoUsdPerMtok !== undefined) {
    return {
      facts,
      prices: {
        cacheReadNanoUsdPerMtok: null,
        cacheWriteNanoUsdPerMtok: null,
        cacheWrite1hNanoUsdPerMtok: null,
        ...typed,
        inputNanoUsdPerMtok,
        outputNanoUsdPerMtok,
        rates: toRates(input.rate ?? []),
      },
    };
  }
  const offer = getOffer(input.id, input.preset ?? null);
  // A price given on the command line applies to input of any length.
  const longInput = Object.keys(typed).length === 0 ? offer.prices.longInput : null;
  return {
    facts: { ...offer.facts, ...facts },
    prices: {
      ...offer.prices,
      ...typed,
      ...(longInput !== undefined && { longInput }),
      rates: toRates(withRates(toRateLines(offer.prices.rates), input.rate ?? [])),
    },
  };
}

/**
 * Changes the price of an existing model; prices that are not given stay. With --preset, or with only --id, prices and
 * rates of the catalogue replace those with the same name.
 * @throws Failure if that would drop a custom price or prices for long input
 */
function changeModel(input: Input, known: RateCard): Resolved {
  const typed = typedPrices(input);
  const isTyped = Object.keys(typed).length > 0;
  if (!isTyped && (input.rate === undefined || input.preset !== undefined)) {
    const named = typedFacts(input);
    if (input.preset === undefined && (Object.keys(named).length > 0 || !hasOffer(input.id)))
      return { facts: named, prices: known };
    const { facts, prices } = resolveModel(input);
    if (input.preset === undefined && !hasSameTokenPrices(prices, known))
      throw new Failure(
        'own_price',
        `${input.id} has a custom price. Give the new prices, or use catalogue prices with --preset.`,
      );
    const rates = toRates(withRates(toRateLines(known.rates), toRateLines(prices.rates)));
    return { facts, prices: { ...prices, rates } };
  }
  if (isTyped && (known.longInput ?? null) !== null && input.anyLength !== true) {
    const { aboveInputTokens = 0 } = known.longInput ?? {};
    throw new Failure(
      'long_input_price',
      `${input.id} has separate prices above ${whole(aboveInputTokens)} input tokens. Change them in the console, or remove them with --any-length.`,
    );
  }
  const rates = toRates(withRates(toRateLines(known.rates), input.rate ?? []));
  const longInput = isTyped ? null : (known.longInput ?? null);
  return { facts: typedFacts(input), prices: { ...known, ...typed, longInput, rates } };
}

function typedPrices(input: Input): Partial<RateCard> {
  const { inputPrice, outputPrice, cacheReadPrice, cacheWritePrice, cacheWrite1hPrice } = input;
  return {
    ...(inputPrice !== undefined && { inputNanoUsdPerMtok: inputPrice }),
    ...(outputPrice !== undefined && { outputNanoUsdPerMtok: outputPrice }),
    ...(cacheReadPrice !== undefined && { cacheReadNanoUsdPerMtok: cacheReadPrice }),
    ...(cacheWritePrice !== undefined && { cacheWriteNanoUsdPerMtok: cacheWritePrice }),
    ...(cacheWrite1hPrice !== undefined && { cacheWrite1hNanoUsdPerMtok: cacheWrite1hPrice }),
  };
}

function typedFacts(input: Input): Partial<ModelFacts> {
  return {
    ...(input.context !== undefined && { contextTokens: input.context }),
    ...(input.maxOutput !== undefined && { maxOutputTokens: input.maxOutput }),
    ...(input.title !== undefined && { title: input.title }),
    ...(input.capabilities !== undefined && { capabilities: input.capabilities }),
  };
}

/** Rates given on the command line replace those with the same name. */
function withRates(offered: readonly RateLine[], typed: readonly RateLine[]): RateLine[] {
  return [...offered.filter(({ rate }) => !typed.some((line) => line.rate === rate)), ...typed];
}

function textOf(id: string, change: { created: boolean; priceAdded: boolean }, routes: number): string {
  const done = change.created
    ? `Added model ${id}.`
    : `Model ${id} already exists. ${change.priceAdded ? 'Its new price is now in effect' : 'Its price is unchanged'}.`;
  if (routes > 0) return done;
  return `${done} Add a route before sending requests:\n  tollgate route add --model ${id} --provider NAME`;
}
