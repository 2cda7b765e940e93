import { openAiResponsesRequestSchema } from '@tollgate/dialects/openai-responses/request-schema';
import { z } from 'zod';
import type { ZodOpenApiPathItemObject } from 'zod-openapi';
import { COMPLETION_ERRORS, errorResponses } from '../error-responses.ts';
import { CHAT_COMPLETION_HEADERS } from '../headers.ts';
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
    summary: 'Ask a model, as OpenAI’s Responses API does it',
    description:
      'Any model answers, whatever its provider speaks. Nothing is kept: what builds on an earlier response is refused, so send ' +
      'the whole `input` with each request, and ask for `include: ["reasoning.encrypted_content"]` to send reasoning back.',
    requestBody: {
      required: true,
      content: { 'application/json': { schema: openAiResponsesRequestSchema, example: REQUEST } },
    },
    responses: {
      200: {
        description: 'The answer; with `stream: true` its pieces',
        headers: CHAT_COMPLETION_HEADERS,
        content: {
          'application/json': { schema: responseSchema, example: ANSWER },
          'text/event-stream': {
            schema: z.string().meta({
              description:
                'Server-sent events. The data of each is a ResponseStreamEvent, the last one `response.completed`, ' +
                '`response.incomplete` or `response.failed`; a stream that breaks ends with an `error` event in its place.',
            }),
          },
        },
      },
      ...errorResponses(['openai-responses'], COMPLETION_ERRORS),
    },
  },
};
