import { anthropicModels } from './anthropic.ts';
import { deepSeekModels } from './deepseek.ts';
import type { CatalogueModel } from './define-models.ts';
import { demoModels } from './demo.ts';
import { embeddingModels } from './embeddings.ts';
import { fireworksModels } from './fireworks.ts';
import { geminiModels } from './gemini.ts';
import { groqModels } from './groq.ts';
import { mistralModels } from './mistral.ts';
import { openAiModels } from './openai.ts';
import { togetherModels } from './together.ts';
import { xaiModels } from './xai.ts';

/**
 * The models that people use most, provider by provider: prices, limits, capabilities. Figures are those published in
 * July 2026 (DeepSeek's: in November), ends those announced by November 2026: defaults for an operator, no promise of a provider.
 */
export const MODEL_CATALOGUE: readonly CatalogueModel[] = [
  ...openAiModels,
  ...anthropicModels,
  ...geminiModels,
  ...mistralModels,
  ...deepSeekModels,
  ...xaiModels,
  ...groqModels,
  ...togetherModels,
  ...fireworksModels,
  ...embeddingModels,
  ...demoModels,
];

/** The rows of one model, one for each provider that serves it; empty where the catalogue lacks it. */
export function listOffers(id: string): CatalogueModel[] {
  return MODEL_CATALOGUE.filter((model) => model.id === id);
}

/**
 * What a provider serves on a day.
 * @param nowMs models that are retired by then are left out
 */
export function listModelsOfPreset(preset: string, nowMs: number): CatalogueModel[] {
  return MODEL_CATALOGUE.filter((model) => model.preset === preset && !isRetired(model, nowMs));
}

export function isRetired(model: CatalogueModel, nowMs: number): boolean {
  const { retiresAt } = model.facts;
  return retiresAt !== null && retiresAt.getTime() <= nowMs;
}
