import { z } from 'zod';

/**
 * Response of `POST /v1/responses` (https://platform.openai.com/docs/api-reference/responses/object). Unlisted members
 * are allowed.
 */
const count = z.int().min(0);

const usageSchema = z
  .looseObject({
    input_tokens: count,
    output_tokens: count,
    total_tokens: count,
    input_tokens_details: z.looseObject({ cached_tokens: count.nullish() }).nullish(),
    output_tokens_details: z.looseObject({ reasoning_tokens: count.nullish() }).nullish(),
  })
  .meta({ id: 'ResponseUsage' });

export const responseSchema = z
  .looseObject({
    id: z.string(),
    object: z.literal('response'),
    created_at: z.number(),
    model: z.string(),
    status: z.string().nullish(),
    output: z.array(
      z.looseObject({ type: z.string() }).meta({
        description: 'message, reasoning, function_call, and the items of the provider’s own tools',
      }),
    ),
    incomplete_details: z.looseObject({ reason: z.string().nullish() }).nullish(),
    usage: usageSchema.nullish(),
  })
  .meta({ id: 'Response' });

export const responseEventSchema = z
  .looseObject({
    type: z.string().meta({ description: 'response.output_text.delta, response.completed, error, …' }),
  })
  .meta({ id: 'ResponseStreamEvent', description: 'The data of one event of a stream' });
