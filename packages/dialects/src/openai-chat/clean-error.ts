import { asObject, type JsonObject } from '../json/parse-object.ts';
import { errorKindOfStatus } from '../provider-error.ts';
import { typeOfKind } from './encode-error.ts';

const MAX_MESSAGE_LENGTH = 8_000;
const MAX_NAME_LENGTH = 200;
/** Further members that describe the request: of Azure, Groq and llama.cpp. */
const DETAILS = ['innererror', 'failed_generation', 'n_ctx', 'n_prompt_tokens'] as const;
const MAX_DEPTH = 6;
const MAX_ENTRIES = 50;

/**
 * Keeps the members of an OpenAI error body that describe the request, with every text redacted. Everything else (echoed
 * requests, users and organizations of the operator) is dropped.
 * @returns null if the body is not an error of this dialect
 */
export function cleanOpenAiError(
  status: number,
  body: unknown,
  redact: (text: string) => string,
): JsonObject | null {
  const error = asObject(asObject(body)?.['error']);
  const message = error?.['message'];
  if (error === null || typeof message !== 'string') return null;
  const nameOf = (value: unknown) =>
    typeof value === 'string' || typeof value === 'number'
      ? redact(String(value)).slice(0, MAX_NAME_LENGTH)
      : null;
  const details = DETAILS.flatMap((name) =>
    error[name] === undefined ? [] : [[name, cleanValue(error[name], redact, 0)] as const],
  );
  return {
    error: {
      message: redact(withRaw(message, error)).slice(0, MAX_MESSAGE_LENGTH),
      type: nameOf(error['type']) ?? typeOfKind(errorKindOfStatus(status)),
      param: nameOf(error['param']),
      code: nameOf(error['code']),
      ...Object.fromEntries(details),
    },
  };
}

/** OpenRouter repeats what its own provider said in `metadata.raw`; its message alone says nothing. */
function withRaw(message: string, error: JsonObject): string {
  const raw = asObject(error['metadata'])?.['raw'];
  return typeof raw === 'string' && raw !== '' ? `${message}: ${raw}` : message;
}

function cleanValue(value: unknown, redact: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return redact(value).slice(0, MAX_MESSAGE_LENGTH);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value))
    return value.slice(0, MAX_ENTRIES).map((entry) => cleanValue(entry, redact, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MAX_ENTRIES)
      .map(([name, entry]) => [name, cleanValue(entry, redact, depth + 1)]),
  );
}
