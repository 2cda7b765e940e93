import type { CompletionRequest } from '@tollgate/core/completion/request';
import type { Result } from '@tollgate/core/errors/errors';
import { FieldReader } from '../json/field-reader.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { decodeMetadata } from '../openai-chat/decode-request.ts';
import { decodeExtra } from './decode-extra.ts';
import { decodeInput } from './decode-input.ts';
import { decodeLogprobs, decodeReasoning, decodeSampling, decodeTextConfig } from './decode-settings.ts';
import { decodeTools } from './decode-tools.ts';
import { denyStateful } from './stateful-members.ts';

const MAX_TOKENS = { min: 1, max: 0x7fffffff };

/**
 * Reads `POST /v1/responses` whole (https://platform.openai.com/docs/api-reference/responses/create).
 * @returns `invalid_request` with the first invalid field as `param`: `input.0.content.1.image_url`;
 * `unsupported_parameter` for what would need a response to be kept
 */
export function decodeOpenAiResponsesRequest(body: JsonObject): Result<CompletionRequest> {
  const stateful = denyStateful(body);
  if (stateful !== null) return stateful;
  const reader = new FieldReader();
  const member = (key: string) => ({ object: body, key, at: '' });
  reader.boolean(member('store'));
  const request: CompletionRequest = {
    model: reader.requiredString(member('model')),
    stream: reader.boolean(member('stream')) ?? false,
    wantsStreamUsage: true,
    messages: decodeInput(body, reader),
    ...decodeTools(body, reader),
    parallelToolCalls: reader.boolean(member('parallel_tool_calls')),
    ...decodeTextConfig(body, reader),
    maxOutputTokens: reader.integer(member('max_output_tokens'), MAX_TOKENS),
    stopSequences: [],
    sampling: decodeSampling(body, reader),
    reasoning: decodeReasoning(body, reader),
    choices: 1,
    logprobs: decodeLogprobs(body, reader),
    modalities: ['text'],
    serviceTier: reader.string(member('service_tier')),
    // `user` is the older name.
    endUser: reader.string(member('safety_identifier')) ?? reader.string(member('user')),
    metadata: decodeMetadata(body, reader),
    promptCacheKey: reader.string(member('prompt_cache_key')),
    extra: decodeExtra(body, reader),
  };
  return reader.error === null ? { ok: true, value: request } : { ok: false, error: reader.error };
}
