import { readFileSync } from 'node:fs';
import path from 'node:path';
import { MODEL_CAPABILITIES } from '@tollgate/core/models/model-capabilities';
import { z } from 'zod';
import type { CatalogueModel } from './define-models.ts';

const FILE = path.resolve(import.meta.dirname, 'published-facts.json');

const usdPerMtok = z.string().optional();
const pricesShape = {
  cacheRead: usdPerMtok,
  cacheWrite: usdPerMtok,
  cacheWrite1h: usdPerMtok,
};
const factsSchema = z.strictObject({
  source: z.string(),
  asOf: z.iso.date(),
  unit: z.string(),
  models: z.array(
    z.strictObject({
      preset: z.string(),
      /** The upstream model ID. */
      model: z.string(),
      contextTokens: z.number().nullable(),
      maxOutputTokens: z.number().nullable(),
      input: z.string(),
      output: z.string(),
      ...pricesShape,
      longInput: z
        .strictObject({ aboveInputTokens: z.number(), input: usdPerMtok, output: usdPerMtok, ...pricesShape })
        .optional(),
      capabilities: z.array(z.enum(MODEL_CAPABILITIES)),
      retiresOn: z.iso.date().optional(),
    }),
  ),
});
export type PublishedFacts = z.infer<typeof factsSchema>['models'][number];

/** Loads what a second source publishes about the models of the catalogue, to compare. */
export function loadPublishedFacts(): readonly PublishedFacts[] {
  return factsSchema.parse(JSON.parse(readFileSync(FILE, 'utf8'))).models;
}

/** Finds the facts of a row of the catalogue. */
export function findFacts(facts: readonly PublishedFacts[], row: CatalogueModel): PublishedFacts | undefined {
  const upstreamModel = row.upstreamModel ?? row.id;
  return facts.find(({ preset, model }) => preset === row.preset && model === upstreamModel);
}
