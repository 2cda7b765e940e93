import type { TokenUsage } from '@tollgate/core/money/money';
import { z } from 'zod';
import type { AnswerEvent } from './answer-event.ts';
import { count, describeErrorBody, parseJson } from './read-json.ts';
import { getExtras, serverToolUse } from './server-tool-use.ts';

const chunkSchema = z.object({
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: z.string().nullish(),
            refusal: z.string().nullish(),
            reasoning_content: z.string().nullish(),
            reasoning: z.string().nullish(),
            tool_calls: z
              .array(
                z.object({
                  index: z.number(),
                  id: z.string().nullish(),
                  function: z
                    .object({ name: z.string().nullish(), arguments: z.string().nullish() })
                    .nullish(),
                }),
              )
              .nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z
    .object({
      prompt_tokens: count,
      completion_tokens: count,
      prompt_tokens_details: z.object({ cached_tokens: count, cache_write_tokens: count }).nullish(),
      completion_tokens_details: z.object({ audio_tokens: count }).nullish(),
      server_tool_use: serverToolUse,
    })
    .nullish(),
});

type Chunk = z.infer<typeof chunkSchema>;

/** Reads the data of an event of `POST /chat/completions`. */
export function readChatChunk(data: string): AnswerEvent[] {
  if (data === '[DONE]') return [{ kind: 'end' }];
  const json = parseJson(data);
  const error = describeErrorBody(json);
  if (error !== null) return [{ kind: 'error', message: error, body: data }];
  const parsed = chunkSchema.safeParse(json);
  if (!parsed.success) return [];
  const [choice] = parsed.data.choices ?? [];
  const { usage } = parsed.data;
  return [
    ...(choice === undefined ? [] : readChoice(choice)),
    ...(usage === null || usage === undefined ? [] : [{ kind: 'usage', usage: toUsage(usage) } as const]),
  ];
}

function* readChoice(choice: NonNullable<Chunk['choices']>[number]): Generator<AnswerEvent> {
  const { delta, finish_reason: reason } = choice;
  const reasoning = delta?.reasoning_content ?? delta?.reasoning ?? '';
  if (reasoning !== '') yield { kind: 'reasoning', text: reasoning };
  const text = delta?.content ?? delta?.refusal ?? '';
  if (text !== '') yield { kind: 'text', text };
  for (const call of delta?.tool_calls ?? []) {
    const { index, id, function: called } = call;
    if (typeof id === 'string') yield { kind: 'tool_call', index, id, name: called?.name ?? '' };
    if (typeof called?.arguments === 'string')
      yield { kind: 'tool_arguments', index, text: called.arguments };
  }
  if (typeof reason === 'string') yield { kind: 'finish', reason };
}

/** The prompt includes cache reads and cache writes. */
function toUsage(usage: NonNullable<Chunk['usage']>): TokenUsage {
  const cacheReadTokens = usage.prompt_tokens_details?.cached_tokens ?? 0;
  const cacheWriteTokens = usage.prompt_tokens_details?.cache_write_tokens ?? 0;
  const audioOutputTokens = Math.min(
    usage.completion_tokens_details?.audio_tokens ?? 0,
    usage.completion_tokens,
  );
  return {
    inputTokens: Math.max(0, usage.prompt_tokens - cacheReadTokens - cacheWriteTokens),
    cacheReadTokens,
    cacheWriteTokens,
    cacheWrite1hTokens: 0,
    outputTokens: usage.completion_tokens - audioOutputTokens,
    ...getExtras(usage.server_tool_use, audioOutputTokens === 0 ? undefined : { audioOutputTokens }),
  };
}
