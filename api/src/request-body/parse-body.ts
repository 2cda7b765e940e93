import type { Buffer } from 'node:buffer';
import type { Result } from '@tollgate/core/errors/errors';
import { parseAnthropicCountRequest } from '@tollgate/dialects/anthropic-messages/count-request';
import { parseAnthropicMessagesRequest } from '@tollgate/dialects/anthropic-messages/parse-request';
import type { ClassifiedBody } from '@tollgate/dialects/contract/request-members';
import type { MemberPlaces } from '@tollgate/dialects/json/member-places';
import { scanBody } from '@tollgate/dialects/json/scan-body';
import {
  outlineBody,
  takeIdleMembers,
  UNBOUNDED,
  type OutlineLimits,
} from '@tollgate/dialects/outline/outline-body';
import { findOutlinedMarks } from '@tollgate/dialects/history/fit-history';
import { parseOpenAiChatRequest } from '@tollgate/dialects/openai-chat/parse-request';
import { parseOpenAiEmbeddingsRequest } from '@tollgate/dialects/openai-embeddings/parse-request';
import { parseOpenAiCountRequest } from '@tollgate/dialects/openai-responses/count-request';
import { parseOpenAiResponsesRequest } from '@tollgate/dialects/openai-responses/parse-request';
import type { ParsedRequest, RelayRequest } from '@tollgate/dialects/relay-request';
import type { EndpointPath } from '@tollgate/dialects/usage/billed-parts';
import { decodeUtf8 } from './decode-body.ts';
import { HISTORY_DIALECTS } from './history-dialects.ts';
import { likelyInputTokens } from './likely-tokens.ts';

/** What the gateway keeps of a body in addition to its bytes. */
export interface ParsedBody {
  request: RelayRequest;
  /** The members that request contracts classify. */
  classified: ClassifiedBody;
  /** Where the members are; null: unknown. */
  places: MemberPlaces | null;
  /** The marks in the body, as `findHistoryMarks` returns them; null: not searched. */
  historyMarks: readonly string[] | null;
  /** Number of members of all its objects; null: unknown. */
  memberCount: number | null;
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

/** An outline of a smaller body saves nothing. */
const MIN_OUTLINED_BYTES = 1024;

/**
 * Checks and parses a body, in up to some ten milliseconds per MiB; most bodies in a tenth of that.
 * @param body halves of surrogate pairs in it are replaced, in place
 * @returns `invalid_json` or `invalid_request` for an invalid body
 */
export function parseBody(endpoint: Endpoint, body: Buffer): Result<ParsedBody> {
  const outlined = parseOutline(endpoint, body, UNBOUNDED);
  return outlined === null ? parseWhole(endpoint, body) : { ok: true, value: outlined };
}

/**
 * Checks a body and parses only its outline.
 * @param body halves of surrogate pairs in it are replaced, in place
 * @returns null if the body must be parsed as a whole: it is invalid, exceeds the limits, or has no outline
 */
export function parseOutline(endpoint: Endpoint, body: Buffer, limits: OutlineLimits): ParsedBody | null {
  const dialect = HISTORY_DIALECTS[endpoint];
  if (dialect === null || body.length < MIN_OUTLINED_BYTES) return null;
  const outline = outlineBody(body, limits);
  if (outline === null) return null;
  const historyMarks = findOutlinedMarks(outline, dialect);
  // Marks of carried items are searched later.
  const json = dialect === 'openai-responses' ? outline.json : takeIdleMembers();
  const parsed = REQUEST_PARSERS[endpoint](json.toString('utf8'));
  if (!parsed.ok) return null;
  return describe(parsed.value, body, {
    places: outline.places,
    historyMarks,
    memberCount: outline.memberCount,
  });
}

function parseWhole(endpoint: Endpoint, body: Buffer): Result<ParsedBody> {
  const ambiguous = scanBody(body);
  if (ambiguous !== null) return { ok: false, error: ambiguous };
  const text = decodeUtf8(body);
  if (!text.ok) return text;
  const parsed = REQUEST_PARSERS[endpoint](text.value);
  if (!parsed.ok) return parsed;
  return {
    ok: true,
    value: describe(parsed.value, body, { places: null, historyMarks: null, memberCount: null }),
  };
}

function describe(
  request: ParsedRequest,
  body: Buffer,
  found: Pick<ParsedBody, 'places' | 'historyMarks' | 'memberCount'>,
): ParsedBody {
  const { members, conversation } = request;
  return {
    request,
    classified: { members, conversation },
    ...found,
    inputTokens: likelyInputTokens(request, body),
  };
}
