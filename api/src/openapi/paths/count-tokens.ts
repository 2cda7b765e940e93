import { anthropicCountRequestSchema } from '@tollgate/dialects/anthropic-messages/count-request';
import { z } from 'zod';
import type { ZodOpenApiPathItemObject } from 'zod-openapi';
import { COMPLETION_ERRORS, errorResponses } from '../error-responses.ts';
import { ANTHROPIC_HEADERS, COUNT_HEADERS } from '../headers.ts';

/** Budget and key limits do not apply; a provider's own limits use the same status as the key's. */
export const COUNT_ERRORS = COMPLETION_ERRORS.filter((code) => code !== 'budget_exceeded');

/** `POST /v1/messages/count_tokens` */
export const countTokensPath: ZodOpenApiPathItemObject = {
  post: {
    operationId: 'countMessageTokens',
    tags: ['Completions'],
    summary: 'Count the tokens of a message request (Anthropic)',
    description:
      'Free, and does not count toward the limits of the key. Returns the provider’s own count if it offers one; otherwise an ' +
      'estimate, marked by the header x-tollgate-estimated.',
    requestParams: { header: ANTHROPIC_HEADERS },
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: anthropicCountRequestSchema.meta({ id: 'CountTokensRequest' }) },
      },
    },
    responses: {
      200: {
        description: 'The token count',
        headers: COUNT_HEADERS,
        content: {
          'application/json': {
            schema: z.looseObject({ input_tokens: z.int().min(0) }).meta({ id: 'TokenCount' }),
          },
        },
      },
      ...errorResponses(['anthropic-messages'], COUNT_ERRORS),
    },
  },
};
