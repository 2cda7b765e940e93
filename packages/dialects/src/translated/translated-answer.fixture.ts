import type { CompletionEvent } from '@tollgate/core/completion/events';
import type { CompletionResponse, CompletionUsage } from '@tollgate/core/completion/response';
import type { Dialect } from '@tollgate/core/models/dialect';
import { getCodec } from '../codec.ts';
import type { JsonObject } from '../json/parse-object.ts';

export const DIALECTS: readonly Dialect[] = ['openai-chat', 'openai-responses', 'anthropic-messages'];

/** A successful answer as a caller gets it. */
export interface TranslatedAnswer {
  /** Where its content is from: `openai/chat-text`. */
  name: string;
  /** Of the caller. */
  dialect: Dialect;
  isStream: boolean;
  /** JSON, or server-sent events. */
  body: string;
}

/** What an answer is translated from. */
export interface AnswerSource {
  name: string;
  /** The caller's request, in its dialect. */
  requestBody: JsonObject;
}

/** The gateway's estimate, for providers that report no usage. */
const ESTIMATE: CompletionUsage = {
  inputTokens: 1,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 1,
  reasoningTokens: null,
  cacheWrite1hTokens: 0,
};

const createContext = (requestBody: JsonObject) => ({
  requestId: 'req_01k4g5v3e8f7q2m6',
  model: 'the-model',
  nowSeconds: 1_700_000_000,
  requestBody,
});

/** Writes a complete response for a caller. */
export function translateWhole(
  dialect: Dialect,
  response: CompletionResponse,
  { name, requestBody }: AnswerSource,
): TranslatedAnswer {
  const whole = { ...response, usage: response.usage ?? ESTIMATE };
  const written = getCodec(dialect).encodeResponse(whole, createContext(requestBody));
  return { name, dialect, isStream: false, body: JSON.stringify(written) };
}

/** Writes a stream for a caller that requested its usage. */
export function translateStream(
  dialect: Dialect,
  events: readonly CompletionEvent[],
  { name, requestBody }: AnswerSource,
): TranslatedAnswer {
  const reportsUsage = events.some((event) => 'usage' in event && event.usage !== null);
  const estimate: CompletionEvent[] = reportsUsage ? [] : [{ type: 'usage', usage: ESTIMATE }];
  const encoder = getCodec(dialect).createStreamEncoder({
    ...createContext(requestBody),
    estimatedInputTokens: null,
    wantsStreamUsage: true,
  });
  const all = [...events.slice(0, -1), ...estimate, ...events.slice(-1)];
  const body = all.map((event) => encoder.push(event)).join('');
  return { name, dialect, isStream: true, body };
}

/** The JSON documents of an answer: its body, or the data of each event. */
export function getDocuments({ isStream, body }: Pick<TranslatedAnswer, 'isStream' | 'body'>): unknown[] {
  if (!isStream) return [JSON.parse(body)];
  const lines = body.split(/\r?\n/).filter((line) => line.startsWith('data:'));
  const data = lines.map((line) => line.slice('data:'.length).trim());
  return data.filter((text) => text !== '' && text !== '[DONE]').map((text): unknown => JSON.parse(text));
}
