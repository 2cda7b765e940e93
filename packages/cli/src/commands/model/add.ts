import type { RateCard } from '@tollgate/core/money/rates/rate-card';
import { toRateLines, toRates, type RateLine } from '@tollgate/core/money/rates/rate-lines';
import type { ModelFacts } from '@tollgate/db/queries/models/model-facts';
import { listModels, putModel } from '@tollgate/db/queries/models/models';
import { hasSameTokenPrices } from '@tollgate/upstreams/catalogue/missing-rates';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withNewInstallation } from '../../installation.ts';
import { ratesOption } from '../../options/rates-option.ts';
import { Failure } from '../../failure.ts';
import { whole } from '../../output/format.ts';
import { getOffer, hasOffer } from './catalogue-offer.ts';
import { FACT_OPTIONS, factsShape, readFacts } from './fact-options.ts';
import { getModel, modelJson } from './model-view.ts';
import { PRICE_OPTIONS, pricesShape, readPrices } from './price-options.ts';

const inputSchema = z.object({
  id: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(200, 'must have at most 200 characters')
    .regex(/^[^\s,]+$/, 'must not contain spaces or commas'),
  ...pricesShape,
  rate: ratesOption.optional(),
  ...factsShape,
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
      ...PRICE_OPTIONS,
      {
        flags: '--rate <rate>',
        many: true,
        about:
          'an additional rate as KIND:NAME=VALUE; repeatable. Examples: service_tier:flex=0.5x, speed:fast=30/150/3, inference_geo:us=1.1x, tokens:audio_input=32 (per million), tool_calls:web_search=10 (per 1,000 calls)',
      },
      ...FACT_OPTIONS,
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
      const { change, after } = await withNewInstallation(env, async ({ db }) => {
        const known = (await listModels(db, now)).find(({ id }) => id === input.id)?.prices ?? null;
        const resolved = known === null ? resolveModel(input) : changeModel(input, known);
        const change = await putModel(db, { id: input.id, ...resolved, now });
        return { change, after: await getModel(db, input.id, new Date(clock.nowMs())) };
      });
      return { json: { ...modelJson(after), ...change }, text: getText(input.id, change, after.routes) };
    },
  });
}

interface Resolved {
  facts: Partial<ModelFacts>;
  prices: RateCard;
}

/** Completes the given prices from the catalogue unless both token prices are given. */
function resolveModel(input: Input): Resolved {
  const typed = readPrices(input);
  const facts = readFacts(input);
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
  const typed = readPrices(input);
  const isTyped = Object.keys(typed).length > 0;
  if (!isTyped && (input.rate === undefined || input.preset !== undefined)) {
    const named = readFacts(input);
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
  return { facts: readFacts(input), prices: { ...known, ...typed, longInput, rates } };
}

/** Rates given on the command line replace those with the same name. */
function withRates(offered: readonly RateLine[], typed: readonly RateLine[]): RateLine[] {
  return [...offered.filter(({ rate }) => !typed.some((line) => line.rate === rate)), ...typed];
}

function getText(id: string, change: { created: boolean; priceAdded: boolean }, routes: number): string {
  const done = change.created
    ? `Added model ${id}.`
    : `Model ${id} already exists. ${change.priceAdded ? 'Its new price is now in effect' : 'Its price is unchanged'}.`;
  if (routes > 0) return done;
  return `${done} Add a route before sending requests:\n  tollgate route add --model ${id} --provider NAME`;
}
