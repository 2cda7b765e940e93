import type { Buffer } from 'node:buffer';
import type { CompletionRequest } from '@tollgate/core/completion/request';
import { deny, type Result } from '@tollgate/core/errors/errors';
import { decodeAnthropicCountRequest } from '@tollgate/dialects/anthropic-messages/count-request';
import { getCodec } from '@tollgate/dialects/codec';
import { describeInput, type InputDescription } from '@tollgate/dialects/input-tokens/describe-input';
import { parseJsonObject, type JsonObject } from '@tollgate/dialects/json/parse-object';
import type { Endpoint } from './parse-body.ts';

/** The endpoints whose input is a conversation. */
export type ConversationEndpoint = Exclude<Endpoint, '/v1/embeddings'>;

const DECODERS: Record<ConversationEndpoint, (body: JsonObject) => Result<CompletionRequest>> = {
  '/v1/chat/completions': (body) => getCodec('openai-chat').decodeRequest(body),
  '/v1/messages': (body) => getCodec('anthropic-messages').decodeRequest(body),
  '/v1/messages/count_tokens': decodeAnthropicCountRequest,
  '/v1/responses': (body) => getCodec('openai-responses').decodeRequest(body),
  '/v1/responses/input_tokens': (body) => getCodec('openai-responses').decodeRequest(body),
};

/** Finds what a token count needs of a body. It decodes the whole body: a large one is for a thread. */
export function describeBody(
  endpoint: ConversationEndpoint,
  body: Buffer,
  model: string,
): Result<InputDescription> {
  const json = parseJsonObject(body.toString('utf8').replace(/^\ufeff/, ''));
  if (json === null) return deny('invalid_json', 'The request body is not a JSON object.');
  const decoded = DECODERS[endpoint](json);
  return decoded.ok ? { ok: true, value: describeInput(decoded.value, model, json) } : decoded;
}
