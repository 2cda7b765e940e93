import { NO_USAGE, type TokenUsage } from '@tollgate/core/money/money';
import { z } from 'zod';
import type { AnswerEvent } from './answer-event.ts';
import { describeErrorBody, parseJson } from './read-json.ts';
import { getExtras, serverToolUse } from './server-tool-use.ts';

const count = z.int().min(0).nullish();
const usageSchema = z.object({
  input_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
  cache_creation: z.object({ ephemeral_1h_input_tokens: count }).nullish(),
  output_tokens: count,
  server_tool_use: serverToolUse,
});

const eventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message_start'), message: z.object({ usage: usageSchema }) }),
  z.object({
    type: z.literal('content_block_start'),
    index: z.number(),
    content_block: z.object({ type: z.string(), id: z.string().optional(), name: z.string().optional() }),
  }),
  z.object({
    type: z.literal('content_block_delta'),
    index: z.number(),
    delta: z.object({
      text: z.string().optional(),
      thinking: z.string().optional(),
      partial_json: z.string().optional(),
    }),
  }),
  z.object({
    type: z.literal('message_delta'),
    delta: z.object({ stop_reason: z.string().nullish() }),
    usage: usageSchema.nullish(),
  }),
  z.object({ type: z.literal('message_stop') }),
]);

/** Creates a reader of the events of `POST /messages`, which report usage in two parts. */
export function createMessageReader(): (data: string) => AnswerEvent[] {
  let usage = NO_USAGE;
  return (data) => {
    const json = parseJson(data);
    const error = describeErrorBody(json);
    if (error !== null) return [{ kind: 'error', message: error, body: data }];
    const parsed = eventSchema.safeParse(json);
    if (!parsed.success) return [];
    const event = parsed.data;
    switch (event.type) {
      case 'message_start':
        usage = layOver(usage, event.message.usage);
        return [{ kind: 'usage', usage }];
      case 'content_block_start': {
        const { type, id = '', name = '' } = event.content_block;
        return type === 'tool_use' ? [{ kind: 'tool_call', index: event.index, id, name }] : [];
      }
      case 'content_block_delta':
        return readDelta(event);
      case 'message_delta': {
        const reason = event.delta.stop_reason;
        usage = layOver(usage, event.usage ?? {});
        return [
          ...(typeof reason === 'string' ? [{ kind: 'finish', reason } as const] : []),
          { kind: 'usage', usage },
        ];
      }
      case 'message_stop':
        return [{ kind: 'end' }];
    }
  };
}

function readDelta(event: {
  index: number;
  delta: { text?: string | undefined; thinking?: string | undefined; partial_json?: string | undefined };
}): AnswerEvent[] {
  const { text, thinking, partial_json: json } = event.delta;
  if (text !== undefined) return [{ kind: 'text', text }];
  if (thinking !== undefined) return [{ kind: 'reasoning', text: thinking }];
  return json === undefined ? [] : [{ kind: 'tool_arguments', index: event.index, text: json }];
}

/** Values missing at the end keep their value from the start. */
function layOver(known: TokenUsage, usage: Partial<z.infer<typeof usageSchema>>): TokenUsage {
  const oneHour = usage.cache_creation?.ephemeral_1h_input_tokens ?? known.cacheWrite1hTokens;
  const written = usage.cache_creation_input_tokens ?? known.cacheWriteTokens + known.cacheWrite1hTokens;
  return {
    inputTokens: usage.input_tokens ?? known.inputTokens,
    cacheReadTokens: usage.cache_read_input_tokens ?? known.cacheReadTokens,
    cacheWriteTokens: Math.max(0, written - oneHour),
    cacheWrite1hTokens: Math.min(oneHour, written),
    outputTokens: usage.output_tokens ?? known.outputTokens,
    ...getExtras(usage.server_tool_use, known.extras),
  };
}
