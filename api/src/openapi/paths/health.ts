import { z } from 'zod';
import type { ZodOpenApiPathItemObject } from 'zod-openapi';
import { ANSWER_HEADERS } from '../headers.ts';
import { successResponse } from '../success-response.ts';

const readinessSchema = z
  .looseObject({
    status: z.enum(['ready', 'degraded', 'draining', 'unavailable']),
    checks: z.record(z.string(), z.string()),
  })
  .meta({ id: 'Readiness' });

const readiness = (description: string) => successResponse(description, readinessSchema);

/** `HEAD /` */
export const rootPath: ZodOpenApiPathItemObject = {
  head: {
    operationId: 'checkAddress',
    tags: ['Health'],
    summary: 'Check whether the address responds',
    security: [],
    responses: { 200: { description: 'The address responds', headers: ANSWER_HEADERS } },
  },
};

/** `GET /healthz` */
export const healthPath: ZodOpenApiPathItemObject = {
  get: {
    operationId: 'getHealth',
    tags: ['Health'],
    summary: 'Check whether the process is running',
    security: [],
    responses: {
      200: successResponse('The process is running', z.object({ status: z.literal('ok') })),
    },
  },
};

/** `GET /readyz` */
export const readinessPath: ZodOpenApiPathItemObject = {
  get: {
    operationId: 'getReadiness',
    tags: ['Health'],
    summary: 'Check whether the process can take requests',
    security: [],
    responses: { 200: readiness('Requests can be sent'), 503: readiness('Do not send requests now') },
  },
};
