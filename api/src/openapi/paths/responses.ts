import { openAiResponsesRequestSchema } from '@tollgate/dialects/openai-responses/request-schema';
import { z } from 'zod';
import type { ZodOpenApiPathItemObject } from 'zod-openapi';
import { COMPLETION_ERRORS, errorResponses } from '../error-responses.ts';
import { RESPONSE_HEADERS, ROUTING_HEADERS } from '../headers.ts';
import { responseSchema } from '../schemas/response.ts';

const REQUEST = { model: 'tollgate-demo', input: 'Say hello.' };
const ANSWER = {
  id: 'resp_1',
  object: 'response',
  created_at: 1_790_000_000,
  model: 'tollgate-demo',
  status: 'completed',
  output: [
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Hello!', annotations: [] }],
    },
  ],
  usage: { input_tokens: 10, output_tokens: 2, total_tokens: 12 },
};

/** `POST /v1/responses` */
export const responsesPath: ZodOpenApiPathItemObject = {
  post: {
    operationId: 'createResponse',
    tags: ['Completions'],
    summary: 'Create a response (OpenAI)',
    description:
      'Works with every model. If the account has turned on stored responses, the response is stored unless `store` is false, ' +
      '`previous_response_id` continues a stored one, and `conversation` continues a conversation and adds to it. With `background: true`, the caller gets the response at once, with the ' +
      'status `queued`, and later by its id. Otherwise send the whole `input` each time; ' +
      '`include: ["reasoning.encrypted_content"]` lets you send reasoning back.' +
      ' The same address also accepts WebSockets: send `response.create` events with the members of this request, and continue ' +
      'the last response of the connection with `previous_response_id`.',
    requestParams: { header: ROUTING_HEADERS },
    requestBody: {
      required: true,
      content: { 'application/json': { schema: openAiResponsesRequestSchema, example: REQUEST } },
    },
    responses: {
      200: {
        description: 'The response; with `stream: true`, its events',
        headers: RESPONSE_HEADERS,
        content: {
          'application/json': { schema: responseSchema, example: ANSWER },
          'text/event-stream': {
            schema: z.string().meta({
              description:
                'Server-sent events. Each contains a ResponseStreamEvent; the last is `response.completed`, `response.incomplete` ' +
                'or `response.failed`. A stream that fails ends with an `error` event instead.',
            }),
          },
        },
      },
      ...errorResponses(
        ['openai-responses'],
        [
          ...COMPLETION_ERRORS,
          'previous_response_not_found',
          'conversation_not_found',
          'conversation_locked',
          'rate_limit_background',
        ],
      ),
    },
  },
};
