import { REASONING_EFFORTS } from '@tollgate/core/completion/request';
import { z } from 'zod';
import { inputItemSchema } from './input-schema.ts';

const MAX_TOKENS = 0x7fffffff;
const text = z.string().nullish();
const flag = z.boolean().nullish();
const jsonSchema = z.record(z.string(), z.unknown());
const notKept = z.literal(false).nullish();

const tool = z.union([
  z.looseObject({
    type: z.literal('function'),
    name: z.string().min(1),
    description: text,
    parameters: jsonSchema.nullish().meta({ description: 'JSON Schema of the arguments' }),
    strict: flag,
  }),
  z
    .looseObject({ type: z.string().regex(/^(?!function$)[\s\S]/) })
    .meta({ description: 'A tool that the provider runs, in its format' }),
]);

const toolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.looseObject({ type: z.literal('function'), name: z.string().min(1) }),
  z.looseObject({
    type: z.literal('allowed_tools'),
    mode: z.enum(['auto', 'required']).nullish(),
    tools: z.array(z.looseObject({})).nullish(),
  }),
  z.looseObject({ type: z.string().regex(/^(?!(?:function|allowed_tools)$)/) }),
]);

const format = z.union([
  z.looseObject({ type: z.enum(['text', 'json_object']) }),
  z.looseObject({
    type: z.literal('json_schema'),
    name: text,
    description: text,
    schema: jsonSchema,
    strict: flag,
  }),
]);

/**
 * The body of `POST /v1/responses` (https://platform.openai.com/docs/api-reference/responses/create) as
 * `decodeOpenAiResponsesRequest` takes it; members that are not listed pass. See `input-schema.ts` for what it is there for.
 */
export const openAiResponsesRequestSchema = z
  .looseObject({
    model: z.string().min(1).meta({ example: 'tollgate-demo' }),
    input: z.union([z.string().min(1), z.array(inputItemSchema).min(1)]),
    instructions: text,
    stream: flag,
    max_output_tokens: z.int().min(1).max(MAX_TOKENS).nullish(),
    temperature: z.number().min(0).max(2).nullish(),
    top_p: z.number().min(0).max(1).nullish(),
    top_logprobs: z.int().min(0).max(20).nullish(),
    tools: z.array(tool).nullish(),
    tool_choice: toolChoice.nullish(),
    parallel_tool_calls: flag,
    text: z
      .looseObject({ format: format.nullish(), verbosity: z.enum(['low', 'medium', 'high']).nullish() })
      .nullish(),
    reasoning: z.looseObject({ effort: z.enum(REASONING_EFFORTS).nullish() }).nullish(),
    include: z.array(z.string()).nullish(),
    service_tier: text,
    safety_identifier: text,
    user: text.meta({ deprecated: true, description: 'The older name of safety_identifier' }),
    metadata: z.record(z.string(), z.string().nullable()).nullish(),
    prompt_cache_key: text,
    store: flag.meta({
      description:
        'Stores the response if the account has turned on stored responses, as `x-tollgate-stored` says; true by default. Without stored responses, the ids of items carry them unless it is false, so that the next request can refer to them',
    }),
    previous_response_id: text.meta({ description: 'A stored response to continue' }),
    conversation: z
      .union([z.string(), z.looseObject({ id: z.string() })])
      .nullish()
      .meta({ description: 'A conversation to continue, to which the response is added' }),
    background: flag.meta({
      description: 'Runs the response without its caller, who gets it by its id. It must be stored',
    }),
    prompt: notKept,
  })
  .meta({ id: 'ResponseRequest' });
