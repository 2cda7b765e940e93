import { openAiChatRequestSchema } from '@tollgate/dialects/openai-chat/request-schema';
import { z } from 'zod';
import type { ZodOpenApiPathItemObject } from 'zod-openapi';
import { COMPLETION_ERRORS, errorResponses } from '../error-responses.ts';
import { CHAT_COMPLETION_HEADERS, ROUTING_HEADERS } from '../headers.ts';
import { chatCompletionSchema } from '../schemas/chat-completion.ts';

const REQUEST = { model: 'tollgate-demo', messages: [{ role: 'user', content: 'Say hello.' }] };
const ANSWER = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_790_000_000,
  model: 'tollgate-demo',
  choices: [
    { index: 0, message: { role: 'assistant', content: 'Hello!', refusal: null }, finish_reason: 'stop' },
  ],
  usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
};

/** `POST /v1/chat/completions` */
export const chatCompletionsPath: ZodOpenApiPathItemObject = {
  post: {
    operationId: 'createChatCompletion',
    tags: ['Completions'],
    summary: 'Create a chat completion (OpenAI)',
    description:
      'Works with every model. If the model’s provider speaks this dialect, the gateway forwards the request as sent, except ' +
      'parameters that it sets or drops (see docs/dialects.md). Otherwise it translates the request.',
    requestParams: { header: ROUTING_HEADERS },
    requestBody: {
      required: true,
      content: { 'application/json': { schema: openAiChatRequestSchema, example: REQUEST } },
    },
    responses: {
      200: {
        description: 'The completion; with `stream: true`, its chunks as events',
        headers: CHAT_COMPLETION_HEADERS,
        content: {
          'application/json': { schema: chatCompletionSchema, example: ANSWER },
          'text/event-stream': {
            schema: z.string().meta({
              description:
                'Server-sent events. Each contains a ChatCompletionChunk; the last contains `[DONE]`. A stream that fails ends ' +
                'with an OpenAiError instead.',
            }),
          },
        },
      },
      ...errorResponses(['openai-chat'], COMPLETION_ERRORS),
    },
  },
};
