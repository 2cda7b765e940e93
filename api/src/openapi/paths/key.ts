import type { ZodOpenApiPathItemObject } from 'zod-openapi';
import { COMMON_ERRORS, errorResponses } from '../error-responses.ts';
import { ANSWER_HEADERS } from '../headers.ts';
import { keySchema } from '../schemas/key.ts';

/** `GET /v1/key` */
export const keyPath: ZodOpenApiPathItemObject = {
  get: {
    operationId: 'getKey',
    tags: ['Key'],
    summary: 'Get the key of this request',
    description: 'Returns its scope, its spend and its remaining limits.',
    responses: {
      200: {
        description: 'The key of this request',
        headers: ANSWER_HEADERS,
        content: { 'application/json': { schema: keySchema } },
      },
      ...errorResponses(['openai-chat'], COMMON_ERRORS),
    },
  },
};
