import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { CatalogueModel } from './define-models.ts';

const FILE = path.resolve(import.meta.dirname, '../../../../../shared/models/prices.json');

const usdPerToken = z.number().nullish();
const factsSchema = z.object({
  models: z.array(
    z.object({
      id: z.string(),
      max_input_tokens: z.number().nullable(),
      max_output_tokens: z.number().nullable(),
      input_cost_per_token: z.number(),
      output_cost_per_token: z.number(),
      cache_read_cost_per_token: usdPerToken,
      cache_write_cost_per_token: usdPerToken,
      cache_write_1h_cost_per_token: usdPerToken,
      above: z
        .array(
          z.object({
            input_tokens: z.number(),
            input_cost_per_token: usdPerToken,
            output_cost_per_token: usdPerToken,
            cache_read_cost_per_token: usdPerToken,
            cache_write_cost_per_token: usdPerToken,
            cache_write_1h_cost_per_token: usdPerToken,
          }),
        )
        .max(1)
        .nullish(),
      supports_vision: z.boolean(),
      supports_tools: z.boolean(),
      supports_parallel_tools: z.boolean(),
      supports_response_schema: z.boolean(),
      supports_reasoning: z.boolean(),
      supports_prompt_caching: z.boolean(),
      deprecation_date: z.string().nullish(),
    }),
  ),
});
export type PriceFacts = z.infer<typeof factsSchema>['models'][number];

const PREFIXES: Readonly<Record<string, string>> = {
  openai: '',
  anthropic: '',
  together: 'together_ai/',
  fireworks: 'fireworks_ai/',
};

/** @returns null if the file does not exist next to the checkout */
export function loadPriceFacts(): ReadonlyMap<string, PriceFacts> | null {
  if (!existsSync(FILE)) return null;
  const { models } = factsSchema.parse(JSON.parse(readFileSync(FILE, 'utf8')));
  return new Map(models.map((facts) => [facts.id, facts]));
}

/** Finds the facts of a row by the upstream model ID. */
export function findFacts(
  facts: ReadonlyMap<string, PriceFacts>,
  model: CatalogueModel,
): PriceFacts | undefined {
  const prefix = PREFIXES[model.preset] ?? `${model.preset}/`;
  return facts.get(prefix + (model.upstreamModel ?? model.id));
}
