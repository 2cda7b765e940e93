import { openAiEmbeddingsRequestSchema } from '@tollgate/dialects/openai-embeddings/request-schema';
import type { ZodOpenApiPathItemObject } from 'zod-openapi';
import { COMPLETION_ERRORS, errorResponses } from '../error-responses.ts';
import { CHAT_COMPLETION_HEADERS } from '../headers.ts';
import { embeddingListSchema } from '../schemas/embedding-list.ts';

const REQUEST = { model: 'text-embedding-3-small', input: ['The harbour was quiet.', 'Ships came in.'] };

/** `POST /v1/embeddings` */
export const embeddingsPath: ZodOpenApiPathItemObject = {
  post: {
    operationId: 'createEmbeddings',
    tags: ['Embeddings'],
    summary: 'Create embeddings (OpenAI)',
    description:
      'Only input tokens are charged. If the provider does not report them, they are estimated from the size of the input.',
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: openAiEmbeddingsRequestSchema.meta({ id: 'EmbeddingsRequest' }),
          example: REQUEST,
        },
      },
    },
    responses: {
      200: {
        description: 'One vector per input, in the same order',
        headers: CHAT_COMPLETION_HEADERS,
        content: { 'application/json': { schema: embeddingListSchema } },
      },
      ...errorResponses(['openai-chat'], COMPLETION_ERRORS),
    },
  },
};
