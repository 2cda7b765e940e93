import { z } from 'zod';
import type { ZodOpenApiPathItemObject } from 'zod-openapi';
import { ANSWER_HEADERS } from '../headers.ts';

const readinessSchema = z
  .looseObject({
    status: z.enum(['ready', 'degraded', 'draining', 'unavailable']),
    checks: z.record(z.string(), z.string()),
  })
  .meta({ id: 'Readiness' });

const readiness = (description: string) => ({
  description,
  headers: ANSWER_HEADERS,
  content: { 'application/json': { schema: readinessSchema } },
});

/** `GET /healthz` */
export const healthPath: ZodOpenApiPathItemObject = {
  get: {
    operationId: 'getHealth',
    tags: ['Health'],
    summary: 'Tell that the process is alive',
    security: [],
    responses: {
      200: {
        description: 'It is',
        headers: ANSWER_HEADERS,
        content: { 'application/json': { schema: z.object({ status: z.literal('ok') }) } },
      },
    },
  },
};

/** `GET /readyz` */
export const readinessPath: ZodOpenApiPathItemObject = {
  get: {
    operationId: 'getReadiness',
    tags: ['Health'],
    summary: 'Tell whether requests may be sent here',
    security: [],
    responses: { 200: readiness('They may'), 503: readiness('Not now') },
  },
};
