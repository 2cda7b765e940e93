import type { ErrorCode } from '@tollgate/core/errors/errors';
import { z } from 'zod';
import type { ZodOpenApiPathItemObject } from 'zod-openapi';
import { COMMON_ERRORS, errorResponses } from '../error-responses.ts';
import { describePage, pageQuery } from '../paged-list.ts';
import { responseSchema } from '../schemas/response.ts';
import { successResponse } from '../success-response.ts';

const ID = z.object({ id: z.string().meta({ example: 'resp_01k9zq3v5x7c9e1g3j5m7p9r1t' }) });
const ERRORS: readonly ErrorCode[] = [
  ...COMMON_ERRORS,
  'account_suspended',
  'response_not_found',
  'rate_limit_requests',
  'ledger_unavailable',
  'shutting_down',
];
const STORED =
  'Free. Responses exist for all keys of an account that has turned on stored responses, until their retention ends.';

/** `GET` and `DELETE /v1/responses/{id}` */
export const storedResponsePath: ZodOpenApiPathItemObject = {
  get: {
    operationId: 'getResponse',
    tags: ['Stored responses'],
    summary: 'Get a stored response (OpenAI)',
    description: STORED,
    requestParams: { path: ID },
    responses: {
      200: successResponse(
        'The response as its caller got it; in the background, as far as it is',
        responseSchema,
      ),
      ...errorResponses(['openai-responses'], [...ERRORS, 'invalid_request']),
    },
  },
  delete: {
    operationId: 'deleteResponse',
    tags: ['Stored responses'],
    summary: 'Delete a stored response (OpenAI)',
    description: `${STORED} Later responses that continued it keep a copy of its conversation.`,
    requestParams: { path: ID },
    responses: {
      200: successResponse(
        'The response is deleted',
        z.object({ id: z.string(), object: z.literal('response'), deleted: z.literal(true) }),
      ),
      ...errorResponses(['openai-responses'], ERRORS),
    },
  },
};

/** `GET /v1/responses/{id}/input_items` */
export const inputItemsPath: ZodOpenApiPathItemObject = {
  get: {
    operationId: 'listInputItems',
    tags: ['Stored responses'],
    summary: 'List the input of a stored response (OpenAI)',
    description: `${STORED} The list includes the conversation that the response continued.`,
    requestParams: {
      path: ID,
      query: pageQuery,
    },
    responses: {
      200: successResponse(
        'A page of items',
        describePage(z.looseObject({ id: z.string(), type: z.string() })),
      ),
      ...errorResponses(['openai-responses'], [...ERRORS, 'invalid_request']),
    },
  },
};

/** `POST /v1/responses/{id}/cancel` */
export const cancelResponsePath: ZodOpenApiPathItemObject = {
  post: {
    operationId: 'cancelResponse',
    tags: ['Stored responses'],
    summary: 'Cancel a response in the background (OpenAI)',
    description:
      'Free; what the model has written so far is billed. Only a response that was created with `background` can be ' +
      'cancelled. One that has ended stays as it is.',
    requestParams: { path: ID },
    responses: {
      200: successResponse('The response as it ended', responseSchema),
      ...errorResponses(['openai-responses'], [...ERRORS, 'invalid_request']),
    },
  },
};
