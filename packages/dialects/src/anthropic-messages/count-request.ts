import type { CompletionRequest } from '@tollgate/core/completion/request';
import type { Result } from '@tollgate/core/errors/errors';
import { classifyBody } from '../contract/request-members.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { parseMessagesFields } from '../parse-common.ts';
import type { ParsedRequest } from '../relay-request.ts';
import { decodeAnthropicRequest } from './decode-request.ts';
import { createInputTraits } from '../input-traits.ts';
import { noteInputTraits } from './input-traits.ts';
import { anthropicRequestSchema } from './request-schema.ts';

/** The body of `POST /v1/messages/count_tokens` (https://docs.anthropic.com/en/api/messages-count-tokens). */
export const anthropicCountRequestSchema = anthropicRequestSchema.partial({ max_tokens: true });

/** Reads the members that passthrough needs. */
export function parseAnthropicCountRequest(text: string): Result<ParsedRequest> {
  const common = parseMessagesFields(text);
  if (!common.ok) return common;
  const { body, model } = common.value;
  const request: ParsedRequest = {
    model,
    stream: false,
    wantsStreamUsage: false,
    forwardChanges: {},
    maxOutputTokens: 0,
    choices: 1,
    ...classifyBody(body),
    ...createInputTraits(),
  };
  noteInputTraits(request, body);
  return { ok: true, value: request };
}

/** Decodes the body as a message request; `max_tokens` may be missing. */
export function decodeAnthropicCountRequest(body: JsonObject): Result<CompletionRequest> {
  return decodeAnthropicRequest({ max_tokens: 1, ...body });
}
