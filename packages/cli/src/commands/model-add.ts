import { MODEL_CAPABILITIES } from '@tollgate/core/model-capabilities';
import type { RateCard } from '@tollgate/core/rates/rate-card';
import { toRateLines, toRates, type RateLine } from '@tollgate/core/rates/rate-lines';
import { listModels, putModel, type ModelFacts } from '@tollgate/db/queries/models';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../command.ts';
import { withInstallation } from '../installation.ts';
import { capabilitiesOption } from '../options/capabilities-option.ts';
import { integerOption } from '../options/integer-option.ts';
import { priceOption } from '../options/price-option.ts';
import { ratesOption } from '../options/rates-option.ts';
import { getOffer } from './catalogue-offer.ts';
import { getModel, modelJson } from './model-view.ts';

const tokens = integerOption({ min: 1, max: 2_147_483_647 });
const inputSchema = z.object({
  id: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(200, 'must have at most 200 characters')
    .regex(/^[^\s,]+$/, 'must have no blanks and no commas'),
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
});
type Input = z.infer<typeof inputSchema>;

export function addModelAdd(model: Command): void {
  addCommand(model, {
    usage: 'add',
    summary: 'Add a model with its price, or give a model a new price from now on',
    options: [
      { flags: '--id <id>', about: 'what callers name it', required: true },
      { flags: '--input-price <usd>', about: 'per million input tokens (default: from the catalogue)' },
      { flags: '--output-price <usd>', about: 'per million output tokens (default: from the catalogue)' },
      {
        flags: '--cache-read-price <usd>',
        about: 'per million tokens read from a cache (default: as input)',
      },
      {
        flags: '--cache-write-price <usd>',
        about: 'per million tokens written to a cache (default: as input)',
      },
      {
        flags: '--cache-write-1h-price <usd>',
        about: 'per million tokens written to a cache for an hour (default: as other writes)',
      },
      {
        flags: '--rate <rate>',
        many: true,
        about:
          'an additional rate, repeatable, as KIND:NAME=VALUE, e.g. service_tier:flex=0.5x, speed:fast=30/150/3, inference_geo:us=1.1x, tokens:audio_input=32 (per million), tool_calls:web_search=10 (per 1,000 calls)',
      },
      { flags: '--context <n>', about: 'tokens that fit into it' },
      { flags: '--max-output <n>', about: 'tokens it writes at most' },
      { flags: '--title <title>', about: 'what people call it' },
      { flags: '--capabilities <names>', about: MODEL_CAPABILITIES.join(',') },
      {
        flags: '--preset <preset>',
        about: 'the provider whose prices to take from the catalogue, where several serve the model',
      },
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
        const change = await putModel(db, {
          id: input.id,
          ...(known !== null && setsRatesAlone(input) ? addRates(input, known) : resolveModel(input)),
          now,
        });
        return { change, after: await getModel(db, input.id, new Date(clock.nowMs())) };
      });
      return { json: { ...modelJson(after), ...change }, text: textOf(input.id, change, after.routes) };
    },
  });
}

/** What was typed, and the rest from the catalogue, which is asked where no whole price was typed. */
function resolveModel(input: Input): { facts: Partial<ModelFacts>; prices: RateCard } {
  const { inputPrice, outputPrice, cacheReadPrice, cacheWritePrice, cacheWrite1hPrice } = input;
  const typed: Partial<RateCard> = {
    ...(inputPrice !== undefined && { inputNanoUsdPerMtok: inputPrice }),
    ...(outputPrice !== undefined && { outputNanoUsdPerMtok: outputPrice }),
    ...(cacheReadPrice !== undefined && { cacheReadNanoUsdPerMtok: cacheReadPrice }),
    ...(cacheWritePrice !== undefined && { cacheWriteNanoUsdPerMtok: cacheWritePrice }),
    ...(cacheWrite1hPrice !== undefined && { cacheWrite1hNanoUsdPerMtok: cacheWrite1hPrice }),
  };
  const facts = typedFacts(input);
  if (inputPrice !== undefined && outputPrice !== undefined) {
    const prices = { inputNanoUsdPerMtok: inputPrice, outputNanoUsdPerMtok: outputPrice };
    return {
      facts,
      prices: {
        cacheReadNanoUsdPerMtok: null,
        cacheWriteNanoUsdPerMtok: null,
        cacheWrite1hNanoUsdPerMtok: null,
        ...prices,
        ...typed,
        rates: toRates(input.rate ?? []),
      },
    };
  }
  const offer = getOffer(input.id, input.preset ?? null);
  // A price that was typed holds for input of any length.
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

/** True: only rates are typed, which a model with a price takes beside that price. */
function setsRatesAlone(input: Input): boolean {
  const { rate, preset, inputPrice, outputPrice, cacheReadPrice, cacheWritePrice, cacheWrite1hPrice } = input;
  const prices = [preset, inputPrice, outputPrice, cacheReadPrice, cacheWritePrice, cacheWrite1hPrice];
  return rate !== undefined && prices.every((price) => price === undefined);
}

function addRates(input: Input, current: RateCard): { facts: Partial<ModelFacts>; prices: RateCard } {
  const lines = withRates(toRateLines(current.rates), input.rate ?? []);
  return { facts: typedFacts(input), prices: { ...current, rates: toRates(lines) } };
}

function typedFacts(input: Input): Partial<ModelFacts> {
  return {
    ...(input.context !== undefined && { contextTokens: input.context }),
    ...(input.maxOutput !== undefined && { maxOutputTokens: input.maxOutput }),
    ...(input.title !== undefined && { title: input.title }),
    ...(input.capabilities !== undefined && { capabilities: input.capabilities }),
  };
}

/** Typed rates replace those of the same name. */
function withRates(offered: readonly RateLine[], typed: readonly RateLine[]): RateLine[] {
  return [...offered.filter(({ rate }) => !typed.some((line) => line.rate === rate)), ...typed];
}

function textOf(id: string, change: { created: boolean; priceAdded: boolean }, routes: number): string {
  const done = change.created
    ? `Added model ${id}.`
    : `${id} was there; ${change.priceAdded ? 'its new price holds from now on' : 'its price is unchanged'}.`;
  if (routes > 0) return done;
  return `${done} It answers once it has a route:\n  tollgate route add --model ${id} --provider NAME`;
}
