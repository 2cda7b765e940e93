import { z } from 'zod';

const count = z.int().min(0);

/** Response of `POST /v1/embeddings` (https://platform.openai.com/docs/api-reference/embeddings/object). */
export const embeddingListSchema = z
  .looseObject({
    object: z.literal('list'),
    model: z.string().nullish(),
    data: z.array(
      z.looseObject({
        object: z.literal('embedding'),
        index: count,
        embedding: z.union([z.array(z.number()), z.string()]).meta({
          description: 'With `encoding_format: base64`: 32-bit little-endian floats in base64',
        }),
      }),
    ),
    usage: z.looseObject({ prompt_tokens: count, total_tokens: count }).nullish(),
  })
  .meta({ id: 'EmbeddingList' });
