import { deny, type Result } from '@tollgate/core/errors';
import { asObject, type JsonObject } from './json/parse-object.ts';

export interface CommonFields {
  body: JsonObject;
  model: string;
  stream: boolean;
}

/** Checks what both dialects share: a JSON object with `model`, a list of `messages`, and `stream` a boolean. */
export function parseCommonFields(text: string): Result<CommonFields> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const detail = error instanceof Error ? ` (${error.message})` : '';
    return deny('invalid_json', `The request body is not valid JSON${detail}.`);
  }
  const body = asObject(value);
  if (body === null) return deny('invalid_request', 'The request body must be a JSON object.');
  const { model, messages } = body;
  if (typeof model !== 'string' || model === '') {
    return deny('invalid_request', 'model is required and must be a string.', { param: 'model' });
  }
  if (!Array.isArray(messages)) {
    return deny('invalid_request', 'messages is required and must be a list.', { param: 'messages' });
  }
  if (messages.length === 0) {
    return deny('invalid_request', 'messages must hold at least one message.', { param: 'messages' });
  }
  const strayIndex = messages.findIndex((message) => asObject(message) === null);
  if (strayIndex >= 0) {
    return deny('invalid_request', `messages.${strayIndex} must be an object.`, {
      param: `messages.${strayIndex}`,
    });
  }
  const stream = body['stream'] ?? false;
  if (typeof stream !== 'boolean') {
    return deny('invalid_request', 'stream must be true or false.', { param: 'stream' });
  }
  return { ok: true, value: { body, model, stream } };
}

/** Checks a limit of output tokens: a whole number of at least 1, or absent. */
export function checkMaxTokens(body: JsonObject, param: string): Result<number | null> {
  const value = body[param] ?? null;
  if (value === null) return { ok: true, value: null };
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return { ok: true, value };
  return deny('invalid_request', `${param} must be a whole number of at least 1.`, { param });
}
