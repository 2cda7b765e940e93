import type { Buffer } from 'node:buffer';
import type { Result } from '@tollgate/core/errors/errors';
import { parseAnthropicCountRequest } from '@tollgate/dialects/anthropic-messages/count-request';
import { parseAnthropicMessagesRequest } from '@tollgate/dialects/anthropic-messages/parse-request';
import type { ClassifiedBody } from '@tollgate/dialects/contract/request-members';
import type { MemberPlaces } from '@tollgate/dialects/json/member-places';
import { scanBody } from '@tollgate/dialects/json/scan-body';
import { parseOpenAiChatRequest } from '@tollgate/dialects/openai-chat/parse-request';
import { parseOpenAiEmbeddingsRequest } from '@tollgate/dialects/openai-embeddings/parse-request';
import { parseOpenAiCountRequest } from '@tollgate/dialects/openai-responses/count-request';
import { parseOpenAiResponsesRequest } from '@tollgate/dialects/openai-responses/parse-request';
import type { ParsedRequest, RelayRequest } from '@tollgate/dialects/relay-request';
import type { EndpointPath } from '@tollgate/dialects/usage/billed-parts';
import { decodeUtf8 } from './decode-body.ts';
import { likelyInputTokens } from './likely-tokens.ts';

/** What the gateway keeps of a body in addition to its bytes. */
export interface ParsedBody {
  request: RelayRequest;
  /** The members that request contracts classify. */
  classified: ClassifiedBody;
  /** Where the members of a large body are; null: unknown. */
  places: MemberPlaces | null;
  /** The marks in a large body, as `findHistoryMarks` returns them; null: not searched. */
  historyMarks: readonly string[] | null;
  /** The likely input. */
  inputTokens: number;
}

/** Body parsers by endpoint name; a thread that reads large bodies selects its parser by that name. */
export const REQUEST_PARSERS = {
  '/v1/chat/completions': parseOpenAiChatRequest,
  '/v1/messages': parseAnthropicMessagesRequest,
  '/v1/messages/count_tokens': parseAnthropicCountRequest,
  '/v1/responses': parseOpenAiResponsesRequest,
  '/v1/responses/input_tokens': parseOpenAiCountRequest,
  '/v1/embeddings': parseOpenAiEmbeddingsRequest,
} satisfies Record<EndpointPath, (text: string) => Result<ParsedRequest>>;

export type Endpoint = keyof typeof REQUEST_PARSERS;

/**
 * Checks and parses a whole body, in up to some ten milliseconds per MiB.
 * @param body halves of surrogate pairs in it are replaced, in place
 * @returns `invalid_json` or `invalid_request` for an invalid body
 */
export function parseBody(endpoint: Endpoint, body: Buffer): Result<ParsedBody> {
  const ambiguous = scanBody(body);
  if (ambiguous !== null) return { ok: false, error: ambiguous };
  const text = decodeUtf8(body);
  if (!text.ok) return text;
  const parsed = REQUEST_PARSERS[endpoint](text.value);
  if (!parsed.ok) return parsed;
  const request = parsed.value;
  const { members, conversation } = request;
  const classified = { members, conversation };
  const inputTokens = likelyInputTokens(request, body);
  return { ok: true, value: { request, classified, places: null, historyMarks: null, inputTokens } };
}
