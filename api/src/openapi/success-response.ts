import type { z } from 'zod';
import { ANSWER_HEADERS } from './headers.ts';

/** A response of status 200 in JSON. */
export function successResponse(description: string, schema: z.ZodType) {
  return { description, headers: ANSWER_HEADERS, content: { 'application/json': { schema } } };
}
