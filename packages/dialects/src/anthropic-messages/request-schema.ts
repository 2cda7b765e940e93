import { z } from 'zod';
import { listSchema } from '../json/list-schema.ts';
import { messageSchema, systemSchema } from './content-schema.ts';

const MAX_COUNT = 0x7fffffff;
const jsonSchema = z.record(z.string(), z.unknown());

/** A tool that the caller runs. Its type is left out, as a rule. */
const customToolSchema = z.looseObject({
  type: z.literal('custom').nullish(),
  name: z.string().min(1),
  description: z.string().nullish(),
  input_schema: jsonSchema,
  strict: z.boolean().nullish(),
  cache_control: z
    .looseObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).nullish() })
    .nullish(),
});
export type CustomTool = z.infer<typeof customToolSchema>;

/** A tool that the provider runs, or whose schema it has: recognized by its dated type. */
const hostedToolSchema = z.looseObject({ type: z.string().regex(/^(?!custom$)/) });
export type ProviderTool = z.infer<typeof hostedToolSchema>;

const isParallelOff = z.boolean().nullish();
const toolChoiceSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('auto'), disable_parallel_tool_use: isParallelOff }),
  z.looseObject({ type: z.literal('any'), disable_parallel_tool_use: isParallelOff }),
  z.looseObject({
    type: z.literal('tool'),
    name: z.string().min(1),
    disable_parallel_tool_use: isParallelOff,
  }),
  z.looseObject({ type: z.literal('none') }),
]);
export type WireToolChoice = z.infer<typeof toolChoiceSchema>;

const thinkingSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('enabled'), budget_tokens: z.int().min(1024).max(MAX_COUNT) }),
  z.looseObject({ type: z.literal('disabled') }),
  z.looseObject({ type: z.literal('adaptive') }),
  z.looseObject({ type: z.literal('between_tools') }),
]);

const formatSchema = z.looseObject({ type: z.literal('json_schema'), schema: jsonSchema }).nullish();

/** The body of `POST /v1/messages` (https://docs.anthropic.com/en/api/messages). */
export const anthropicRequestSchema = z.looseObject({
  model: z.string().min(1),
  max_tokens: z.int().min(1).max(MAX_COUNT),
  messages: listSchema(messageSchema, z.array(z.unknown()).min(1, 'must contain at least one message')),
  system: systemSchema.nullish(),
  stream: z.boolean().nullish(),
  stop_sequences: listSchema(z.string()).nullish(),
  temperature: z.number().min(0).max(1).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  top_k: z.int().min(0).max(MAX_COUNT).nullish(),
  tools: listSchema(z.union([customToolSchema, hostedToolSchema])).nullish(),
  tool_choice: toolChoiceSchema.nullish(),
  thinking: thinkingSchema.nullish(),
  output_config: z
    .looseObject({
      effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).nullish(),
      format: formatSchema,
    })
    .nullish(),
  /** The member for structured output while it was a beta feature. */
  output_format: formatSchema,
  metadata: z.looseObject({ user_id: z.string().nullish() }).nullish(),
  service_tier: z.enum(['auto', 'standard_only']).nullish(),
});
export type AnthropicRequest = z.infer<typeof anthropicRequestSchema>;
