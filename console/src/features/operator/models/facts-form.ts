import { MODEL_CAPABILITIES, type ModelCapability } from '@tollgate/core/models/model-capabilities';
import {
  modelFactsSchema,
  type ModelFactsField,
  type ModelFactsTerms,
} from '@tollgate/core/models/model-facts';
import { z } from 'zod';
import type { OperatorModel } from '../operator-types.ts';
import { readNumberText } from './read-number-text.ts';

/** Model details as entered, to be spread into larger forms. */
const factsTexts = {
  title: z.string(),
  contextTokens: z.string(),
  maxOutputTokens: z.string(),
  capabilities: z.array(z.enum(MODEL_CAPABILITIES)),
  /** First day without the model, in UTC: `2026-12-11`; '' if not announced. */
  retiresAt: z.string(),
} satisfies Record<ModelFactsField, z.ZodType>;
export const factsTextsSchema = z.object(factsTexts);
export type FactsTexts = z.infer<typeof factsTextsSchema>;

/** Parses the fields into the server's input. */
export function readFactsTexts(texts: FactsTexts): ModelFactsTerms {
  const chosen = new Set<ModelCapability>(texts.capabilities);
  return {
    title: texts.title,
    contextTokens: readNumberText(texts.contextTokens),
    maxOutputTokens: readNumberText(texts.maxOutputTokens),
    capabilities: MODEL_CAPABILITIES.filter((capability) => chosen.has(capability)),
    retiresAt: texts.retiresAt === '' ? null : `${texts.retiresAt}T00:00:00Z`,
  };
}

/** Validated with the server's schema. */
export const factsFormSchema = factsTextsSchema.transform(readFactsTexts).pipe(modelFactsSchema);

export const NO_FACTS: FactsTexts = {
  title: '',
  contextTokens: '',
  maxOutputTokens: '',
  capabilities: [],
  retiresAt: '',
};

export function getFactsTexts(model: OperatorModel): FactsTexts {
  return {
    title: model.title,
    contextTokens: model.contextTokens?.toString() ?? '',
    maxOutputTokens: model.maxOutputTokens?.toString() ?? '',
    capabilities: model.capabilities,
    retiresAt: model.retiresAt?.slice(0, 10) ?? '',
  };
}
