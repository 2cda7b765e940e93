import { z } from 'zod';
import type { ZodOpenApiPathItemObject } from 'zod-openapi';
import {
  anthropicModelListSchema,
  anthropicModelSchema,
  openAiModelListSchema,
  openAiModelSchema,
} from '../../routes/model-shapes.ts';
import { modelPageQuerySchema } from '../../routes/page-models.ts';
import { COMMON_ERRORS, errorResponses } from '../error-responses.ts';
import { successResponse } from '../success-response.ts';

const header = z.object({
  'anthropic-version': z
    .string()
    .optional()
    .meta({ description: 'If set, the response has Anthropic’s format and pages' }),
});
const DESCRIPTION = 'In OpenAI’s or Anthropic’s format';
const ENDPOINTS = ['openai-chat', 'anthropic-messages'] as const;

/** `GET /v1/models` */
export const modelsPath: ZodOpenApiPathItemObject = {
  get: {
    operationId: 'listModels',
    tags: ['Models'],
    summary: 'List the models that the key can use',
    requestParams: { header, query: modelPageQuerySchema },
    responses: {
      200: successResponse(DESCRIPTION, z.union([openAiModelListSchema, anthropicModelListSchema])),
      ...errorResponses(ENDPOINTS, [...COMMON_ERRORS, 'invalid_request']),
    },
  },
};

/** `GET /v1/models/{id}` */
export const modelPath: ZodOpenApiPathItemObject = {
  get: {
    operationId: 'getModel',
    tags: ['Models'],
    summary: 'Get a model',
    requestParams: {
      header,
      path: z.object({ id: z.string().meta({ description: 'Slashes need no encoding' }) }),
    },
    responses: {
      200: successResponse(DESCRIPTION, z.union([openAiModelSchema, anthropicModelSchema])),
      ...errorResponses(ENDPOINTS, [...COMMON_ERRORS, 'model_not_found']),
    },
  },
};
