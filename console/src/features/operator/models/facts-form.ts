import { MODEL_CAPABILITIES, type ModelCapability } from '@tollgate/core/models/model-capabilities';
import { modelFactsSchema, type ModelFactsTerms } from '@tollgate/core/models/model-facts';
import { z } from 'zod';
import type { OperatorModel } from '../operator-types.ts';

/** What is typed of what is known of a model; a form that has more takes these in. */
export const factsTextsSchema = z.object({
  title: z.string(),
  contextTokens: z.string(),
  maxOutputTokens: z.string(),
  capabilities: z.array(z.enum(MODEL_CAPABILITIES)),
  /** The first day without it, in UTC: `2026-12-11`; '': not announced. */
  retiresAt: z.string(),
});
export type FactsTexts = z.infer<typeof factsTextsSchema>;

/** The texts, read as the facts that the server takes. */
export function readFactsTexts(texts: FactsTexts): ModelFactsTerms {
  const chosen = new Set<ModelCapability>(texts.capabilities);
  return {
    title: texts.title,
    contextTokens: readTokens(texts.contextTokens),
    maxOutputTokens: readTokens(texts.maxOutputTokens),
    capabilities: MODEL_CAPABILITIES.filter((capability) => chosen.has(capability)),
    retiresAt: texts.retiresAt === '' ? null : `${texts.retiresAt}T00:00:00Z`,
  };
}

/** Checked by the very schema that the server checks with. */
export const factsFormSchema = factsTextsSchema.transform(readFactsTexts).pipe(modelFactsSchema);

export const NO_FACTS: FactsTexts = {
  title: '',
  contextTokens: '',
  maxOutputTokens: '',
  capabilities: [],
  retiresAt: '',
};

export function factsTextsOf(model: OperatorModel): FactsTexts {
  return {
    title: model.title ?? '',
    contextTokens: model.contextTokens?.toString() ?? '',
    maxOutputTokens: model.maxOutputTokens?.toString() ?? '',
    capabilities: model.capabilities,
    retiresAt: model.retiresAt?.slice(0, 10) ?? '',
  };
}

/** The commas are pasted with a number and mean nothing. */
function readTokens(text: string): number | null {
  const plain = text.replace(/[,\s]/g, '');
  return plain === '' ? null : Number(plain);
}
