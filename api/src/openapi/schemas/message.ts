import { z } from 'zod';

/** Response of `POST /v1/messages` (https://docs.anthropic.com/en/api/messages). Unlisted members are allowed. */
const count = z.int().min(0);

const usageSchema = z
  .looseObject({
    input_tokens: count,
    output_tokens: count,
    cache_read_input_tokens: count.nullish(),
    cache_creation_input_tokens: count.nullish(),
  })
  .meta({ id: 'MessageUsage' });

const blockSchema = z.looseObject({ type: z.string() }).meta({
  description: 'text, thinking, redacted_thinking, tool_use, and the blocks of Anthropic’s own tools',
});

export const messageSchema = z
  .looseObject({
    id: z.string(),
    type: z.literal('message'),
    role: z.literal('assistant'),
    model: z.string(),
    content: z.array(blockSchema),
    stop_reason: z.string().nullable(),
    stop_sequence: z.string().nullish(),
    usage: usageSchema,
  })
  .meta({ id: 'Message' });

export const messageEventSchema = z
  .looseObject({
    type: z.enum([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
      'ping',
      'error',
    ]),
  })
  .meta({ id: 'MessageStreamEvent', description: 'The data of one event of a stream' });
