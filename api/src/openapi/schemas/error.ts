import type { Dialect } from '@tollgate/core/models/dialect';
import { ERROR_TABLE, type ErrorCode } from '@tollgate/core/errors/errors';
import { z } from 'zod';

/** Every error code of the gateway, typed for `z.enum`. */
export const ERROR_CODES = Object.keys(ERROR_TABLE).filter((code): code is ErrorCode => code in ERROR_TABLE);

const table = ERROR_CODES.map((code) => `| \`${code}\` | ${ERROR_TABLE[code].status} |`).join('\n');

const openAiErrorSchema = z
  .looseObject({
    error: z.looseObject({
      message: z.string(),
      type: z.string().nullish(),
      param: z.string().nullish().meta({ description: 'The invalid parameter: messages.0.role' }),
      code: z
        .union([z.enum(ERROR_CODES), z.string()])
        .nullish()
        .meta({
          description: `One of these, or the provider's own:\n\n| code | status |\n| --- | --- |\n${table}`,
        }),
    }),
  })
  .meta({ id: 'OpenAiError', description: 'An error in OpenAI’s format' });

const anthropicErrorSchema = z
  .looseObject({
    type: z.literal('error'),
    error: z.looseObject({ type: z.string(), message: z.string() }),
    request_id: z.string().nullish(),
  })
  .meta({ id: 'AnthropicError', description: 'An error in Anthropic’s format' });

/** How a dialect writes errors. */
export const ERROR_SCHEMAS: Record<Dialect, z.ZodType> = {
  'openai-chat': openAiErrorSchema,
  'anthropic-messages': anthropicErrorSchema,
  'openai-responses': openAiErrorSchema,
};
