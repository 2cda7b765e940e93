import { anthropicRequestSchema } from '@tollgate/dialects/anthropic-messages/request-schema';
import { z } from 'zod';
import type { ZodOpenApiPathItemObject } from 'zod-openapi';
import { COMPLETION_ERRORS, errorResponses } from '../error-responses.ts';
import { ANTHROPIC_HEADERS, ROUTING_HEADERS, MESSAGE_HEADERS } from '../headers.ts';
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
    summary: 'Create a message (Anthropic)',
    description:
      'Works with every model. If the model’s provider speaks this dialect, the gateway forwards the request as sent, except ' +
      'parameters that it sets or drops (see docs/dialects.md). Otherwise it translates the request.',
    requestParams: { header: ANTHROPIC_HEADERS.extend(ROUTING_HEADERS.shape) },
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
        description: 'The message; with `stream: true`, its events',
        headers: MESSAGE_HEADERS,
        content: {
          'application/json': { schema: messageSchema, example: ANSWER },
          'text/event-stream': {
            schema: z.string().meta({
              description:
                'Server-sent events. Each contains a MessageStreamEvent; the last is `message_stop`. A stream that fails ends ' +
                'with an `error` event instead.',
            }),
          },
        },
      },
      ...errorResponses(['anthropic-messages'], COMPLETION_ERRORS),
    },
  },
};
