import { openAiResponsesRequestSchema } from '@tollgate/dialects/openai-responses/request-schema';
import { z } from 'zod';
import type { ZodOpenApiPathItemObject } from 'zod-openapi';
import { errorResponses } from '../error-responses.ts';
import { COUNT_HEADERS } from '../headers.ts';
import { COUNT_ERRORS } from './count-tokens.ts';

/** `POST /v1/responses/input_tokens` */
export const inputTokensPath: ZodOpenApiPathItemObject = {
  post: {
    operationId: 'countResponseInputTokens',
    tags: ['Completions'],
    summary: 'Count the input tokens of a response (OpenAI)',
    description:
      'Free, and does not count toward the limits of the key. Returns the provider’s own count if it offers one; otherwise an ' +
      'estimate, marked by the header x-tollgate-estimated.',
    requestBody: {
      required: true,
      content: { 'application/json': { schema: openAiResponsesRequestSchema } },
    },
    responses: {
      200: {
        description: 'The token count',
        headers: COUNT_HEADERS,
        content: {
          'application/json': {
            schema: z
              .looseObject({ object: z.literal('response.input_tokens'), input_tokens: z.int().min(0) })
              .meta({ id: 'InputTokenCount' }),
          },
        },
      },
      ...errorResponses(['openai-responses'], COUNT_ERRORS),
    },
  },
};
