import { MODEL_CAPABILITIES } from '@tollgate/core/models/model-capabilities';
import type { ClassPrices, NanoUsd } from '@tollgate/core/money/money';
import { formatUsdPerToken, planPrice, type ChargingTerms } from '@tollgate/core/money/plan-price';
import { fillClasses } from '@tollgate/core/money/rates/resolve-rates';
import { z } from 'zod';
import type { Model, Price } from '../catalogue/catalogue.ts';

/** The shapes of `/v1/models`: the members of each dialect, followed by Tollgate's own. */
const usdPerTokenSchema = z
  .string()
  .meta({ description: 'USD per token, an exact decimal', example: '0.000003' });

const classPricingSchema = z.object({
  prompt: usdPerTokenSchema,
  completion: usdPerTokenSchema,
  input_cache_read: usdPerTokenSchema,
  input_cache_write: usdPerTokenSchema,
  input_cache_write_1h: usdPerTokenSchema,
});

const pricingSchema = classPricingSchema
  .extend({
    long_input: classPricingSchema.extend({ above_input_tokens: z.int() }).nullable().meta({
      description: 'Prices of the whole request if its input, including cached tokens, is longer',
    }),
  })
  .meta({
    id: 'ModelPricing',
    description: 'The account’s current price, including the plan’s multiplier; 0 if the plan is not prepaid',
  });

const capabilitiesSchema = z.array(z.enum(MODEL_CAPABILITIES));
const tokensSchema = z.int().nullable();

export const openAiModelSchema = z
  .object({
    id: z.string(),
    object: z.literal('model'),
    created: z.int().meta({ description: 'Seconds since the Unix epoch' }),
    owned_by: z.string(),
    shutdown_date: z.iso.date().nullable(),
    name: z.string(),
    context_length: tokensSchema,
    max_output_tokens: tokensSchema,
    capabilities: capabilitiesSchema,
    pricing: pricingSchema,
  })
  .meta({ id: 'OpenAiModel' });

export const openAiModelListSchema = z
  .object({ object: z.literal('list'), data: z.array(openAiModelSchema) })
  .meta({ id: 'OpenAiModelList' });

export const anthropicModelSchema = z
  .object({
    type: z.literal('model'),
    id: z.string(),
    display_name: z.string(),
    created_at: z.iso.datetime(),
    lifecycle: z.enum(['active', 'deprecated']),
    deprecated_at: z.null(),
    retires_at: z.iso.datetime().nullable(),
    line: z.null(),
    max_input_tokens: tokensSchema,
    max_tokens: tokensSchema,
    capabilities: z.null().meta({ description: 'Unknown: see features' }),
    features: capabilitiesSchema,
    pricing: pricingSchema,
  })
  .meta({ id: 'AnthropicModel' });

export const anthropicModelListSchema = z
  .object({
    data: z.array(anthropicModelSchema),
    has_more: z.boolean(),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
  })
  .meta({ id: 'AnthropicModelList' });

/** A model in OpenAI's shape (https://platform.openai.com/docs/api-reference/models/object). */
export function encodeOpenAiModel(
  model: Model,
  price: Price,
  plan: ChargingTerms,
): z.infer<typeof openAiModelSchema> {
  return {
    id: model.id,
    object: 'model',
    created: Math.floor(model.createdAt.getTime() / 1000),
    owned_by: 'tollgate',
    shutdown_date: model.retiresAt?.toISOString().slice(0, 10) ?? null,
    name: model.title,
    context_length: model.contextTokens,
    max_output_tokens: model.maxOutputTokens,
    capabilities: [...model.capabilities],
    pricing: encodePricing(price, plan),
  };
}

/** A model in Anthropic's shape (https://docs.anthropic.com/en/api/models). */
export function encodeAnthropicModel(
  model: Model,
  price: Price,
  plan: ChargingTerms,
): z.infer<typeof anthropicModelSchema> {
  return {
    type: 'model',
    id: model.id,
    display_name: model.title,
    created_at: model.createdAt.toISOString(),
    lifecycle: model.retiresAt === null ? 'active' : 'deprecated',
    deprecated_at: null,
    retires_at: model.retiresAt?.toISOString() ?? null,
    line: null,
    max_input_tokens: model.contextTokens,
    max_tokens: model.maxOutputTokens,
    capabilities: null,
    features: [...model.capabilities],
    pricing: encodePricing(price, plan),
  };
}

function encodePricing(price: Price, plan: ChargingTerms): z.infer<typeof pricingSchema> {
  const { longInput } = price;
  return {
    ...encodeClassPricing(price, plan),
    long_input:
      longInput === undefined || longInput === null
        ? null
        : { above_input_tokens: longInput.aboveInputTokens, ...encodeClassPricing(longInput, plan) },
  };
}

function encodeClassPricing(prices: ClassPrices, plan: ChargingTerms): z.infer<typeof classPricingSchema> {
  const filled = fillClasses(prices);
  const format = (price: NanoUsd) => formatUsdPerToken(planPrice(price, plan));
  return {
    prompt: format(filled.input),
    completion: format(filled.output),
    input_cache_read: format(filled.cache_read),
    input_cache_write: format(filled.cache_write),
    input_cache_write_1h: format(filled.cache_write_1h),
  };
}
