import type { ProviderErrorKind } from './provider-error.ts';

/** OpenAI's code for an input that is longer than the model's context; agents shorten their conversation when they see it. */
export const CONTEXT_LENGTH_EXCEEDED = 'context_length_exceeded';

/** Codes of refusals by the provider's content policy: OpenAI's, and Azure's. */
export const CONTENT_POLICY_CODES: ReadonlySet<string> = new Set([
  'content_policy_violation',
  'content_filter',
  'moderation_blocked',
]);

/** How Anthropic begins the message of the same error, which has no code there. */
const ANTHROPIC_CONTEXT_MESSAGE = 'prompt is too long';

/** Other names of the same error: llama.cpp's. */
const CONTEXT_NAMES: ReadonlySet<string> = new Set([CONTEXT_LENGTH_EXCEEDED, 'exceed_context_size_error']);

/**
 * Messages of providers that name the error only there: Anthropic, Bedrock, OpenAI and its imitators (DeepSeek, vLLM),
 * Mistral, xAI, Gemini, llama.cpp.
 */
const CONTEXT_MESSAGES =
  /prompt is too long|input is too long for requested model|exceeds? (?:the |your )?(?:available |model's )?context (?:limit|length|size|window)|maximum (?:context|prompt) length (?:is|of)|model with \d+ maximum context length|input token count \S* ?exceeds the maximum number of tokens/i;

/** Names that a program can compare. A sentence is none. */
const CODE = /^[\w.-]{1,100}$/;
const STATUS = /^[45]\d\d$/;

/**
 * The code of a provider's error, under OpenAI's name if it is a known one.
 * @param named what the provider calls the error; values that are not names, or only repeat the status, are ignored
 * @returns null if the provider gives none
 */
export function readErrorCode(
  kind: ProviderErrorKind,
  { code, type, message }: { code: unknown; type: unknown; message: string },
): string | null {
  const isOfRequest = kind === 'invalid_request_error' || kind === 'request_too_large';
  const isContext = [code, type].some((name) => typeof name === 'string' && CONTEXT_NAMES.has(name));
  if (isContext || (isOfRequest && CONTEXT_MESSAGES.test(message))) return CONTEXT_LENGTH_EXCEEDED;
  return typeof code === 'string' && CODE.test(code) && !STATUS.test(code) ? code : null;
}

/** The message for Anthropic's dialect, where agents recognize this error by its beginning. */
export function messageForAnthropic(code: string | null, message: string): string {
  const isNamed =
    code !== CONTEXT_LENGTH_EXCEEDED || message.toLowerCase().startsWith(ANTHROPIC_CONTEXT_MESSAGE);
  return isNamed ? message : `${ANTHROPIC_CONTEXT_MESSAGE}: ${message}`;
}
