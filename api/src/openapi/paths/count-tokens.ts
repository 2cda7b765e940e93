import { anthropicCountRequestSchema } from '@tollgate/dialects/anthropic-messages/count-request';
import { z } from 'zod';
import type { ZodOpenApiPathItemObject } from 'zod-openapi';
import { COMPLETION_ERRORS, errorResponses } from '../error-responses.ts';
import { ANTHROPIC_HEADERS, COUNT_HEADERS } from '../headers.ts';

/** Budget and key limits do not apply; a provider's own limits use the same status as the key's. */
const COUNT_ERRORS = COMPLETION_ERRORS.filter((code) => code !== 'budget_exceeded');

/** `POST /v1/messages/count_tokens` */
export const countTokensPath: ZodOpenApiPathItemObject = {
  post: {
    operationId: 'countMessageTokens',
    tags: ['Completions'],
    summary: 'Count the tokens of a request, as Anthropic does it',
    description:
      'Free of charge, and nothing is taken out of the limits of the key. Where a provider of the model counts tokens, its count ' +
      'is the answer; else it is an estimate, and the header x-tollgate-estimated says so.',
    requestParams: { header: ANTHROPIC_HEADERS },
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: anthropicCountRequestSchema.meta({ id: 'CountTokensRequest' }) },
      },
    },
    responses: {
      200: {
        description: 'The count',
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
