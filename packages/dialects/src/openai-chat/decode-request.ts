import { wantsLegacyCall } from './legacy-call.ts';
import type { CompletionRequest } from '@tollgate/core/completion/request';
import type { Result } from '@tollgate/core/errors/errors';
import type { JsonObject } from '../json/parse-object.ts';
import { decodeMessages } from './decode-messages.ts';
import {
  decodeLogprobs,
  decodeMaxTokens,
  decodeOutputFormat,
  decodeReasoning,
  decodeSampling,
  decodeStop,
} from './decode-settings.ts';
import { decodeTools } from './decode-tools.ts';
import { CHAT_LIMIT_MEMBERS } from '../limit-members.ts';
import { FieldReader } from '../json/field-reader.ts';

/** Members with their own canonical field; the rest is kept in `extra`. */
const READ_MEMBERS: ReadonlySet<string> = new Set(
  (
    'model stream stream_options messages tools functions tool_choice function_call web_search_options ' +
    'parallel_tool_calls response_format ' +
    `${CHAT_LIMIT_MEMBERS.join(' ')} ` +
    'stop temperature top_p top_k seed ' +
    'presence_penalty frequency_penalty logit_bias reasoning_effort reasoning thinking n logprobs top_logprobs ' +
    'modalities verbosity service_tier user safety_identifier metadata prompt_cache_key'
  ).split(' '),
);
export const MAX_CHOICES = 128;
const VERBOSITIES = ['low', 'medium', 'high'] as const;

/**
 * Reads `POST /v1/chat/completions` whole (https://platform.openai.com/docs/api-reference/chat/create).
 * @returns `invalid_request` with the first invalid field as `param`: `messages.0.content.1.image_url.url`
 */
export function decodeOpenAiChatRequest(body: JsonObject): Result<CompletionRequest> {
  const reader = new FieldReader();
  const member = (key: string) => ({ object: body, key, at: '' });
  const options = reader.object(member('stream_options')) ?? {};
  const request: CompletionRequest = {
    model: reader.requiredString(member('model')),
    stream: reader.boolean(member('stream')) ?? false,
    wantsStreamUsage:
      reader.boolean({ object: options, key: 'include_usage', at: 'stream_options.' }) ?? false,
    messages: decodeMessages(body, reader),
    ...decodeTools(body, reader),
    // An answer to `functions` has room for one call.
    parallelToolCalls: wantsLegacyCall(body) ? false : reader.boolean(member('parallel_tool_calls')),
    outputFormat: decodeOutputFormat(body, reader),
    maxOutputTokens: decodeMaxTokens(body, reader),
    stopSequences: decodeStop(body, reader),
    sampling: decodeSampling(body, reader),
    reasoning: decodeReasoning(body, reader),
    choices: reader.integer(member('n'), { min: 1, max: MAX_CHOICES }) ?? 1,
    logprobs: decodeLogprobs(body, reader),
    modalities: decodeModalities(body, reader),
    verbosity: reader.oneOf(member('verbosity'), VERBOSITIES),
    serviceTier: reader.string(member('service_tier')),
    // `user` is the older name.
    endUser: reader.string(member('safety_identifier')) ?? reader.string(member('user')),
    metadata: decodeMetadata(body, reader),
    promptCacheKey: reader.string(member('prompt_cache_key')),
    extra: Object.fromEntries(
      Object.entries(body).filter(([name, value]) => value !== null && !READ_MEMBERS.has(name)),
    ),
  };
  return reader.error === null ? { ok: true, value: request } : { ok: false, error: reader.error };
}

function decodeModalities(body: JsonObject, reader: FieldReader): string[] {
  const given = reader.list({ object: body, key: 'modalities', at: '' }) ?? [];
  const names = given.filter((name) => typeof name === 'string');
  if (names.length < given.length) reader.refuse('modalities', 'must be a list of strings');
  return names.length === 0 ? ['text'] : names;
}

/** Reads `metadata`, which OpenAI's dialects have alike: strings by name. */
export function decodeMetadata(body: JsonObject, reader: FieldReader): Record<string, string> | null {
  const metadata = reader.object({ object: body, key: 'metadata', at: '' });
  if (metadata === null) return null;
  return Object.fromEntries(
    Object.keys(metadata).map((key) => [
      key,
      reader.string({ object: metadata, key, at: 'metadata.' }) ?? '',
    ]),
  );
}
