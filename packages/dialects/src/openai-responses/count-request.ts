import type { Result } from '@tollgate/core/errors/errors';
import type { ParsedRequest } from '../relay-request.ts';
import { parseOpenAiResponsesRequest } from './parse-request.ts';

/**
 * Reads `POST /v1/responses/input_tokens` (https://platform.openai.com/docs/api-reference/responses/input-tokens): the members
 * of a response that decide about its input. It generates nothing and has no `store`.
 */
export function parseOpenAiCountRequest(text: string): Result<ParsedRequest> {
  const parsed = parseOpenAiResponsesRequest(text);
  if (!parsed.ok) return parsed;
  const { itemReferences: _, ...request } = parsed.value;
  return { ok: true, value: { ...request, stream: false, forwardChanges: {}, maxOutputTokens: 0 } };
}
