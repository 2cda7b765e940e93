import type { ZodOpenApiPathItemObject } from 'zod-openapi';
import { COMMON_ERRORS, errorResponses } from '../error-responses.ts';
import { keySchema } from '../schemas/key.ts';
import { successResponse } from '../success-response.ts';

/** `GET /v1/key` */
export const keyPath: ZodOpenApiPathItemObject = {
  get: {
    operationId: 'getKey',
    tags: ['Key'],
    summary: 'Get the key of this request',
    description: 'Returns its scope, its spend and its remaining limits.',
    responses: {
      200: successResponse('The key of this request', keySchema),
      ...errorResponses(['openai-chat'], COMMON_ERRORS),
    },
  },
};
