import { deny, type Result } from '@tollgate/core/errors';
import { membersOf } from '../contract/request-members.ts';
import type { ParsedRequest } from '../relay-request.ts';
import { asObject } from '../json/parse-object.ts';
import { checkMaxTokens, parseMessagesFields } from '../parse-common.ts';
import { MAX_CHOICES } from './decode-request.ts';
import { readInputTraits } from './input-traits.ts';

/**
 * Reads `POST /v1/chat/completions` as far as relaying needs it
 * (https://platform.openai.com/docs/api-reference/chat/create).
 */
export function parseOpenAiChatRequest(text: string): Result<ParsedRequest> {
  const common = parseMessagesFields(text);
  if (!common.ok) return common;
  const { body, model, stream } = common.value;
  const older = checkMaxTokens(body, 'max_tokens');
  if (!older.ok) return older;
  const newer = checkMaxTokens(body, 'max_completion_tokens');
  if (!newer.ok) return newer;
  const choices = checkChoices(body['n'] ?? 1);
  if (!choices.ok) return choices;
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
  return {
    ok: true,
    value: {
      model,
      stream,
      wantsStreamUsage,
      forwardChanges,
      maxOutputTokens: largerOf(older.value, newer.value),
      choices: choices.value,
      members: membersOf(body),
      ...readInputTraits(body),
    },
  };
}

/** Where both limits are given, providers differ in which they keep to. */
function largerOf(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.max(a, b);
}

function checkChoices(value: unknown): Result<number> {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= MAX_CHOICES)
    return { ok: true, value };
  return deny('invalid_request', `n must be a whole number from 1 to ${MAX_CHOICES}.`, { param: 'n' });
}
