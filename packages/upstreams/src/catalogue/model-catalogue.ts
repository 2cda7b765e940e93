import { anthropicModels } from './anthropic.ts';
import { deepSeekModels } from './deepseek.ts';
import type { CatalogueModel } from './define-models.ts';
import { demoModels } from './demo.ts';
import { embeddingModels } from './embeddings.ts';
import { fireworksModels } from './fireworks.ts';
import { geminiModels } from './gemini.ts';
import { groqModels } from './groq.ts';
import { mistralModels } from './mistral.ts';
import { openAiTierModels } from './openai-tiers.ts';
import { openAiModels } from './openai.ts';
import { togetherModels } from './together.ts';
import { xaiModels } from './xai.ts';

/**
 * Prices, limits and capabilities of the most used models, by provider. Figures were published in July 2026 (DeepSeek,
 * and models released since: November), retirement dates announced by November 2026. They are defaults for an operator, not promises of a provider.
 */
export const MODEL_CATALOGUE: readonly CatalogueModel[] = [
  ...openAiModels,
  ...openAiTierModels,
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

/** The rows of one model, one per provider that serves it; empty if the catalogue lacks it. */
export function listOffers(id: string): CatalogueModel[] {
  return MODEL_CATALOGUE.filter((model) => model.id === id);
}

/**
 * The models that a provider serves.
 * @param nowMs models retired by then are left out
 */
export function listModelsOfPreset(preset: string, nowMs: number): CatalogueModel[] {
  return MODEL_CATALOGUE.filter((model) => model.preset === preset && !isRetired(model, nowMs));
}

/** The models that route patterns may add. */
export function listPatternOffers(nowMs: number): CatalogueModel[] {
  return MODEL_CATALOGUE.filter((model) => !isRetired(model, nowMs));
}

export function isRetired(model: CatalogueModel, nowMs: number): boolean {
  const { retiresAt } = model.facts;
  return retiresAt !== null && retiresAt.getTime() <= nowMs;
}
