import { anthropicRequestSchema } from '@tollgate/dialects/anthropic-messages/request-schema';
import { z } from 'zod';
import type { ZodOpenApiPathItemObject } from 'zod-openapi';
import { COMPLETION_ERRORS, errorResponses } from '../error-responses.ts';
import { ANTHROPIC_HEADERS, MESSAGE_HEADERS } from '../headers.ts';
import { messageSchema } from '../schemas/message.ts';

const REQUEST = {
  model: 'tollgate-demo',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Say hello.' }],
};
const ANSWER = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'tollgate-demo',
  content: [{ type: 'text', text: 'Hello!' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 2 },
};

/** `POST /v1/messages` */
export const messagesPath: ZodOpenApiPathItemObject = {
  post: {
    operationId: 'createMessage',
    tags: ['Completions'],
    summary: 'Ask a model, as Anthropic does it',
    description:
      'Any model answers, whatever its provider speaks. Where that is this dialect, the request reaches it byte for byte, and ' +
      'the provider checks what this description does not.',
    requestParams: { header: ANTHROPIC_HEADERS },
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: anthropicRequestSchema.meta({ id: 'MessageRequest' }),
          example: REQUEST,
        },
      },
    },
    responses: {
      200: {
        description: 'The answer; with `stream: true` its pieces',
        headers: MESSAGE_HEADERS,
        content: {
          'application/json': { schema: messageSchema, example: ANSWER },
          'text/event-stream': {
            schema: z.string().meta({
              description:
                'Server-sent events. The data of each is a MessageStreamEvent, the last one `message_stop`; a stream that breaks ' +
                'ends with an `error` event in its place.',
            }),
          },
        },
      },
      ...errorResponses(['anthropic-messages'], COMPLETION_ERRORS),
    },
  },
};
