import type { ZodOpenApiPathItemObject } from 'zod-openapi';
import { COMMON_ERRORS, errorResponses } from '../error-responses.ts';
import { ANSWER_HEADERS } from '../headers.ts';
import { keySchema } from '../schemas/key.ts';

/** `GET /v1/key` */
export const keyPath: ZodOpenApiPathItemObject = {
  get: {
    operationId: 'getKey',
    tags: ['Key'],
    summary: 'Get the key that asks',
    description: 'Its scope, what it has spent, and what is left of its limits.',
    responses: {
      200: {
        description: 'The key that asked',
        headers: ANSWER_HEADERS,
        content: { 'application/json': { schema: keySchema } },
      },
      ...errorResponses(['openai-chat'], COMMON_ERRORS),
    },
  },
};
