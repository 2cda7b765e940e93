import type { ChatLimitMember } from '../limit-members.ts';
import { REASONING_EFFORTS } from '@tollgate/core/completion/request';
import { z } from 'zod';
import { messageSchema } from './message-schema.ts';

const MAX_TOKENS = 0x7fffffff;
const tokens = z.int().min(1).max(MAX_TOKENS).nullish();
const text = z.string().nullish();
const flag = z.boolean().nullish();
const between = (min: number, max: number) => z.number().min(min).max(max).nullish();
const jsonSchema = z.record(z.string(), z.unknown());

const functionDefinition = z.looseObject({
  name: z.string().min(1),
  description: text,
  parameters: jsonSchema.nullish().meta({ description: 'JSON Schema of the arguments' }),
  strict: flag,
});

const tool = z.union([
  z.looseObject({ type: z.literal('function').nullish(), function: functionDefinition }),
  z
    .looseObject({ type: z.string().regex(/^(?!function$)/) })
    .meta({ description: 'A tool that the provider runs, in its format' }),
]);

const namedChoice = z.looseObject({ name: z.string().min(1) });
const CHOICE_WORDS = ['none', 'auto', 'required', 'any'] as const;
const toolChoice = z.union([
  z.enum(CHOICE_WORDS),
  z.looseObject({
    type: z.literal('allowed_tools'),
    allowed_tools: z.looseObject({
      mode: z.enum(['auto', 'required']).nullish(),
      tools: z.array(z.looseObject({})).nullish(),
    }),
  }),
  z.looseObject({ function: namedChoice }),
  z.looseObject({ custom: namedChoice }),
]);

const responseFormat = z.union([
  z.looseObject({ type: z.enum(['text', 'json_object']) }),
  z.looseObject({
    type: z.literal('json_schema'),
    json_schema: z.looseObject({ name: text, description: text, schema: jsonSchema.nullish(), strict: flag }),
  }),
]);

/** `top_logprobs` needs `logprobs`: what is in `meta` goes into the JSON Schema, which alone can say it. */
const TOP_LOGPROBS_NEED_LOGPROBS = {
  anyOf: [
    { properties: { top_logprobs: { type: 'null' } } },
    { properties: { logprobs: { const: true } }, required: ['logprobs'] },
  ],
};

const limits = {
  max_completion_tokens: tokens,
  max_tokens: tokens.meta({ deprecated: true, description: 'The older name of max_completion_tokens' }),
} satisfies Record<ChatLimitMember, typeof tokens>;

/**
 * The body of `POST /v1/chat/completions` (https://platform.openai.com/docs/api-reference/chat/create) as
 * `decodeOpenAiChatRequest` takes it; members that are not listed pass. See `message-schema.ts` for what it is there for.
 */
export const openAiChatRequestSchema = z
  .looseObject({
    model: z.string().min(1).meta({ example: 'tollgate-demo' }),
    messages: z.array(messageSchema).min(1),
    stream: flag,
    stream_options: z.looseObject({ include_usage: flag }).nullish(),
    ...limits,
    temperature: between(0, 2),
    top_p: between(0, 1),
    top_k: z.int().min(-1).nullish().meta({ description: 'For providers that take it' }),
    seed: z.int().nullish(),
    presence_penalty: between(-2, 2),
    frequency_penalty: between(-2, 2),
    logit_bias: z.record(z.string(), z.number().min(-100).max(100).nullable()).nullish(),
    stop: z.union([z.string(), z.array(z.string()).max(64)]).nullish(),
    n: z.int().min(1).max(128).nullish(),
    logprobs: flag,
    top_logprobs: z.int().min(0).max(20).nullish(),
    tools: z.array(tool).nullish(),
    tool_choice: toolChoice.nullish(),
    parallel_tool_calls: flag,
    response_format: responseFormat.nullish(),
    reasoning_effort: z.enum(REASONING_EFFORTS).nullish(),
    reasoning: z
      .looseObject({ effort: z.enum(REASONING_EFFORTS).nullish(), max_tokens: tokens, enabled: flag })
      .nullish()
      .meta({ description: 'OpenRouter’s format; used if reasoning_effort is absent' }),
    verbosity: z.enum(['low', 'medium', 'high']).nullish(),
    modalities: z.array(z.string()).nullish(),
    web_search_options: z.looseObject({}).nullish(),
    service_tier: text,
    safety_identifier: text,
    user: text.meta({ deprecated: true, description: 'The older name of safety_identifier' }),
    metadata: z.record(z.string(), z.string().nullable()).nullish(),
    prompt_cache_key: text,
    functions: z.array(functionDefinition).nullish().meta({ deprecated: true }),
    function_call: z
      .union([z.enum(CHOICE_WORDS), namedChoice])
      .nullish()
      .meta({ deprecated: true }),
  })
  .meta({ id: 'ChatCompletionRequest', ...TOP_LOGPROBS_NEED_LOGPROBS });
