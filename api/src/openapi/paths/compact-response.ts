import { z } from 'zod';
import type { ZodOpenApiPathItemObject } from 'zod-openapi';
import { COMPLETION_ERRORS, errorResponses } from '../error-responses.ts';
import { RESPONSE_HEADERS } from '../headers.ts';

const item = z.looseObject({ id: z.string(), type: z.string() });

/** Members of a request for a response; settings of its output are ignored. */
const requestSchema = z
  .looseObject({
    model: z.string().min(1),
    input: z.union([z.string().min(1), z.array(z.looseObject({}))]).nullish(),
    instructions: z.string().nullish(),
    previous_response_id: z.string().nullish(),
  })
  .meta({ id: 'CompactionRequest' });

const answerSchema = z
  .object({
    id: z.string(),
    object: z.literal('response.compaction'),
    created_at: z.int(),
    output: z
      .array(item)
      .meta({ description: 'The messages of the user, then one item of type `compaction`' }),
    usage: z.looseObject({ input_tokens: z.int(), output_tokens: z.int(), total_tokens: z.int() }).nullable(),
  })
  .meta({ id: 'Compaction' });

/** `POST /v1/responses/compact` */
export const compactResponsePath: ZodOpenApiPathItemObject = {
  post: {
    operationId: 'compactResponse',
    tags: ['Completions'],
    summary: 'Compact a conversation (OpenAI)',
    description:
      'The model writes a summary, which is billed like a response. Send `output` in place of the conversation, to any model.',
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: requestSchema,
          example: { model: 'tollgate-demo', input: [{ role: 'user', content: 'Hello' }] },
        },
      },
    },
    responses: {
      200: {
        description: 'The compacted conversation',
        headers: RESPONSE_HEADERS,
        content: { 'application/json': { schema: answerSchema } },
      },
      ...errorResponses(['openai-responses'], COMPLETION_ERRORS),
    },
  },
};
