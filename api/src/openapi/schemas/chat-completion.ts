import { z } from 'zod';

/**
 * Response of `POST /v1/chat/completions` (https://platform.openai.com/docs/api-reference/chat/object). Additional
 * members of providers are allowed.
 */
const count = z.int().min(0);
const text = z.string().nullish();

const usageSchema = z
  .looseObject({
    prompt_tokens: count,
    completion_tokens: count,
    total_tokens: count,
    prompt_tokens_details: z.looseObject({ cached_tokens: count.nullish() }).nullish(),
    completion_tokens_details: z.looseObject({ reasoning_tokens: count.nullish() }).nullish(),
  })
  .meta({ id: 'ChatUsage' });

const toolCallSchema = z.looseObject({
  id: z.string(),
  type: z.string().nullish(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }).optional(),
  custom: z.looseObject({ name: z.string(), input: z.string() }).optional(),
});

export const chatCompletionSchema = z
  .looseObject({
    id: z.string(),
    object: z.literal('chat.completion'),
    created: z.int(),
    model: z.string(),
    choices: z.array(
      z.looseObject({
        index: count,
        message: z.looseObject({
          role: z.literal('assistant'),
          content: z
            .unknown()
            .meta({ description: 'Text or null; an array of parts from providers that send parts' }),
          refusal: text,
          tool_calls: z.array(toolCallSchema).nullish(),
        }),
        finish_reason: text,
      }),
    ),
    usage: usageSchema.nullish(),
  })
  .meta({ id: 'ChatCompletion' });

export const chatCompletionChunkSchema = z
  .looseObject({
    id: z.string(),
    object: z.literal('chat.completion.chunk'),
    created: z.int(),
    model: z.string(),
    choices: z.array(
      z.looseObject({
        index: count,
        delta: z.looseObject({ content: z.unknown().optional(), refusal: text }),
        finish_reason: text,
      }),
    ),
    usage: usageSchema
      .nullish()
      .meta({ description: 'In the last chunk, with stream_options.include_usage' }),
  })
  .meta({ id: 'ChatCompletionChunk', description: 'The data of one event of a stream' });
