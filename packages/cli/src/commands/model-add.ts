import { putModel } from '@tollgate/db/queries/models';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../command.ts';
import { withInstallation } from '../installation.ts';
import { integerOption } from '../options/integer-option.ts';
import { priceOption } from '../options/price-option.ts';
import { getModel, modelJson } from './model-view.ts';

const tokens = integerOption({ min: 1, max: 2_147_483_647 });
const inputSchema = z.object({
  id: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(200, 'must have at most 200 characters')
    .regex(/^[^\s,]+$/, 'must have no blanks and no commas'),
  inputPrice: priceOption,
  outputPrice: priceOption,
  cacheReadPrice: priceOption.optional(),
  cacheWritePrice: priceOption.optional(),
  context: tokens.optional(),
  maxOutput: tokens.optional(),
});

export function addModelAdd(model: Command): void {
  addCommand(model, {
    usage: 'add',
    summary: 'Add a model with its price, or give a model a new price from now on',
    options: [
      { flags: '--id <id>', about: 'what callers name it', required: true },
      { flags: '--input-price <usd>', about: 'per million input tokens', required: true },
      { flags: '--output-price <usd>', about: 'per million output tokens', required: true },
      {
        flags: '--cache-read-price <usd>',
        about: 'per million tokens read from a cache (default: as input)',
      },
      {
        flags: '--cache-write-price <usd>',
        about: 'per million tokens written to a cache (default: as input)',
      },
      { flags: '--context <n>', about: 'tokens that fit into it' },
      { flags: '--max-output <n>', about: 'tokens it writes at most' },
    ],
    input: inputSchema,
    examples: [
      'tollgate model add --id gpt-5-mini --input-price 0.25 --output-price 2 --cache-read-price 0.025 --context 400000',
    ],
    run: async (input, { env, clock }) => {
      const now = new Date(clock.nowMs());
      const { change, after } = await withInstallation(env, async ({ db }) => {
        const change = await putModel(db, {
          id: input.id,
          limits: {
            ...(input.context !== undefined && { contextTokens: input.context }),
            ...(input.maxOutput !== undefined && { maxOutputTokens: input.maxOutput }),
          },
          prices: {
            inputNanoUsdPerMtok: input.inputPrice,
            outputNanoUsdPerMtok: input.outputPrice,
            cacheReadNanoUsdPerMtok: input.cacheReadPrice ?? null,
            cacheWriteNanoUsdPerMtok: input.cacheWritePrice ?? null,
          },
          now,
        });
        return { change, after: await getModel(db, input.id, new Date(clock.nowMs())) };
      });
      return { json: { ...modelJson(after), ...change }, text: textOf(input.id, change, after.routes) };
    },
  });
}

function textOf(id: string, change: { created: boolean; priceAdded: boolean }, routes: number): string {
  const done = change.created
    ? `Added model ${id}.`
    : `${id} was there; ${change.priceAdded ? 'its new price holds from now on' : 'its price is unchanged'}.`;
  if (routes > 0) return done;
  return `${done} It answers once it has a route:\n  tollgate route add --model ${id} --provider NAME`;
}
