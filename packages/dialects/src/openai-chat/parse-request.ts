import { deny, type Result } from '@tollgate/core/errors';
import type { RelayRequest } from '../relay-request.ts';
import { asObject } from '../json/parse-object.ts';
import { checkMaxTokens, parseMessagesFields } from '../parse-common.ts';

/**
 * Reads `POST /v1/chat/completions` as far as relaying needs it
 * (https://platform.openai.com/docs/api-reference/chat/create).
 */
export function parseOpenAiChatRequest(text: string): Result<RelayRequest> {
  const common = parseMessagesFields(text);
  if (!common.ok) return common;
  const { body, model, stream } = common.value;
  for (const param of ['max_tokens', 'max_completion_tokens']) {
    const checked = checkMaxTokens(body, param);
    if (!checked.ok) return checked;
  }
  const given = body['stream_options'] ?? null;
  const options = asObject(given);
  if (given !== null && options === null) {
    return deny('invalid_request', 'stream_options must be an object.', { param: 'stream_options' });
  }
  const wantsStreamUsage = options?.['include_usage'] === true;
  // Usage in a stream comes only when asked for, and no stream is relayed unmetered.
  const forwardChanges: Record<string, string> =
    stream && !wantsStreamUsage
      ? { stream_options: JSON.stringify({ ...options, include_usage: true }) }
      : {};
  return { ok: true, value: { model, stream, wantsStreamUsage, forwardChanges } };
}
