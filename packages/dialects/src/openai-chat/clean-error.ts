import { asObject, type JsonObject } from '../json/parse-object.ts';
import { redactStrings } from '../json/redact-strings.ts';
import { errorKindOfStatus } from '../provider-error.ts';
import { typeOfKind } from './encode-error.ts';

const MAX_MESSAGE_LENGTH = 8_000;
const MAX_NAME_LENGTH = 200;
/** Further members that describe the request: of Azure, Groq and llama.cpp. */
const DETAILS = ['innererror', 'failed_generation', 'n_ctx', 'n_prompt_tokens'] as const;

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
  const getName = (value: unknown) =>
    typeof value === 'string' || typeof value === 'number'
      ? redact(String(value)).slice(0, MAX_NAME_LENGTH)
      : null;
  const details = DETAILS.flatMap((name) =>
    error[name] === undefined ? [] : [[name, redactStrings(boundedDetail(error[name]), redact)] as const],
  );
  return {
    error: {
      message: redact(withRaw(message, error)).slice(0, MAX_MESSAGE_LENGTH),
      type: getName(error['type']) ?? typeOfKind(errorKindOfStatus(status)),
      param: getName(error['param']),
      code: getName(error['code']),
      ...Object.fromEntries(details),
    },
  };
}

/** OpenRouter repeats what its own provider said in `metadata.raw`; its own message says nothing. */
function withRaw(message: string, error: JsonObject): string {
  const raw = asObject(error['metadata'])?.['raw'];
  return typeof raw === 'string' && raw !== '' ? `${message}: ${raw}` : message;
}

/** A detail of any size says no more than a short one. */
function boundedDetail(value: unknown): unknown {
  return JSON.stringify(value).length > MAX_MESSAGE_LENGTH ? null : value;
}
