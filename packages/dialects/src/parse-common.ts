import { deny, type Result } from '@tollgate/core/errors/errors';
import { assureRoom } from './json/heap-guard.ts';
import { asObject, type JsonObject } from './json/parse-object.ts';

export interface CommonFields {
  body: JsonObject;
  model: string;
  stream: boolean;
}

/** Checks what every dialect shares: a JSON object with `model`, and `stream` a boolean. */
export function parseCommonFields(text: string): Result<CommonFields> {
  assureRoom(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const detail = error instanceof Error ? ` (${error.message})` : '';
    return deny('invalid_json', `The request body is not valid JSON${detail}.`);
  }
  const body = asObject(value);
  if (body === null) return deny('invalid_request', 'The request body must be a JSON object.');
  const { model } = body;
  if (typeof model !== 'string' || model === '') {
    return deny('invalid_request', 'model is required and must be a string.', { param: 'model' });
  }
  const stream = body['stream'] ?? false;
  if (typeof stream !== 'boolean') {
    return deny('invalid_request', 'stream must be true or false.', { param: 'stream' });
  }
  return { ok: true, value: { body, model, stream } };
}

/** As {@link parseCommonFields}, for the dialects whose conversation is a list of `messages`. */
export function parseMessagesFields(text: string): Result<CommonFields> {
  const common = parseCommonFields(text);
  if (!common.ok) return common;
  const error = checkList(common.value.body, 'messages');
  return error ?? common;
}

/** @returns the denial if the member is no list of objects with at least one entry */
export function checkList(body: JsonObject, param: string): ReturnType<typeof deny> | null {
  const list: unknown = body[param];
  if (!Array.isArray(list))
    return deny('invalid_request', `${param} is required and must be a list.`, { param });
  if (list.length === 0)
    return deny('invalid_request', `${param} must contain at least one entry.`, { param });
  const stray = list.findIndex((entry) => asObject(entry) === null);
  if (stray < 0) return null;
  const place = `${param}.${stray}`;
  return deny('invalid_request', `${place} must be an object.`, { param: place });
}

/** More than any model writes; a larger number would not fit in 32 bits. */
const MAX_TOKENS = 2_147_483_647;

/** Checks a limit of output tokens: a whole number of at least 1, or absent. */
export function checkMaxTokens(body: JsonObject, param: string): Result<number | null> {
  const value = body[param] ?? null;
  if (value === null) return { ok: true, value: null };
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) {
    if (value <= MAX_TOKENS) return { ok: true, value };
    return deny('invalid_request', `${param} must be at most ${MAX_TOKENS}.`, { param });
  }
  return deny('invalid_request', `${param} must be a whole number of at least 1.`, { param });
}
