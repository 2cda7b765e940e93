import type { Buffer } from 'node:buffer';
import type { CompletionEvent } from '@tollgate/core/completion/events';
import type { Dialect } from '@tollgate/core/models/dialect';
import type { ErrorCode, GatewayError } from '@tollgate/core/errors/errors';
import { isAccountError, isCreditTrouble, type ReportedError } from '@tollgate/dialects/account-trouble';
import { getCodec } from '@tollgate/dialects/codec';
import { asObject, parseJsonObject, type JsonObject } from '@tollgate/dialects/json/parse-object';
import { getFailedChoice } from '@tollgate/dialects/openai-chat/is-error';
import { createSseParser } from '@tollgate/dialects/sse/parse-events';
import type { Redact } from '../catalogue/error-redactor.ts';
import type { UpstreamFailure } from '@tollgate/upstreams/transport/transport';

/** The caller's error if the provider gave no complete response. */
export function describeFailure(failure: UpstreamFailure): GatewayError {
  switch (failure.kind) {
    case 'dns':
    case 'connect':
    case 'tls':
      return UNREACHABLE;
    case 'timeout':
      return TOO_LATE;
    case 'busy':
      return BUSY;
    case 'stale':
    case 'cut':
    case 'protocol':
      return BROKEN_STREAM;
  }
}

const UNREACHABLE: GatewayError = {
  code: 'upstream_error',
  message: 'Tollgate could not reach the provider of this model. Try again.',
};

const TOO_LATE: GatewayError = {
  code: 'upstream_timeout',
  message: 'The provider of this model did not respond to Tollgate in time. Try again.',
};

export const BROKEN_STREAM: GatewayError = {
  code: 'upstream_error',
  message: 'The provider of this model interrupted its response to Tollgate. Try again.',
};

export const UNREADABLE_ANSWER: GatewayError = {
  code: 'upstream_error',
  message: 'The provider of this model sent Tollgate an invalid response. Try again.',
};

/** The response is larger than the gateway accepts: another provider's would be as large. */
export const OVERSIZE_ANSWER: GatewayError = {
  code: 'upstream_error',
  message: 'The provider of this model sent Tollgate a response that is too large. Request less at once.',
  retryAfterMs: null,
};

/** The gateway has no memory for a response: another provider's would be as large. */
export const NO_MEMORY_FOR_ANSWER: GatewayError = {
  code: 'gateway_overloaded',
  message: 'The gateway has no memory left for a response of this size. Try again.',
};

/** Refuses a request before it is sent: its response could not be collected. */
export const NO_MEMORY_FOR_RESPONSES: GatewayError = {
  code: 'gateway_overloaded',
  message:
    'The gateway has no memory left for more responses of this account. Read earlier responses, then try again.',
};

/** The recorded code of a failed response: an error inside it counts like the status it should have had. */
export function getOutcome(error: GatewayError): string {
  if (error === OVERSIZE_ANSWER) return 'too_large';
  if (error === NO_MEMORY_FOR_ANSWER) return 'no_memory';
  if (UNREADABLE.has(error)) return 'unreadable';
  return STATUS_OUTCOMES[error.code] ?? 'status_500';
}

const STATUS_OUTCOMES: Partial<Record<GatewayError['code'], string>> = {
  upstream_overloaded: 'status_529',
  upstream_timeout: 'status_504',
  upstream_misconfigured: 'misconfigured',
  invalid_request: 'status_400',
};

/** An internal error of the gateway while it relayed a response. */
export const BROKEN_GATEWAY: GatewayError = {
  code: 'internal_error',
  message: "Tollgate failed. Try again, and give the request ID to the gateway's operator.",
};

/** Errors for responses without a usable message. */
const UNREADABLE: ReadonlySet<GatewayError> = new Set([BROKEN_STREAM, UNREADABLE_ANSWER, BROKEN_GATEWAY]);

/** The provider refuses the operator's key or its permissions. The caller cannot fix it. */
export const MISCONFIGURED_PROVIDER: GatewayError = {
  code: 'upstream_misconfigured',
  message: "The provider of this model rejected Tollgate's credentials. Contact the gateway's operator.",
};

/** The operator's account at the provider has no credit. The caller cannot fix it. */
export const NO_CREDIT_AT_PROVIDER: GatewayError = {
  code: 'upstream_misconfigured',
  message:
    "The gateway's account at the provider of this model has no credit. Contact the gateway's operator.",
};

/** The provider cannot read reasoning in the conversation, which another provider or account encrypted. */
export const REFUSED_REASONING: GatewayError = {
  code: 'invalid_request',
  message:
    'The provider of this model cannot read the reasoning in this conversation, which another provider wrote. Remove it.',
};

/** No route can take the request. */
export const NO_ROUTE: GatewayError = {
  code: 'no_route_available',
  message:
    "No provider of this model supports this endpoint. Contact the gateway's operator, or use another model.",
  param: 'model',
};

export const BUSY: GatewayError = {
  code: 'upstream_busy',
  message:
    'Every provider of this model has reached its maximum of requests in progress in Tollgate. Try again.',
  retryAfterMs: 1_000,
};

/** Whether the provider has a place is not known yet. */
export const PLACE_ASKED: GatewayError = { ...BUSY };

const RESTING: GatewayError = {
  code: 'upstream_paused',
  message:
    'The providers of this model failed several times in a row, so Tollgate paused them. Try again in a few seconds.',
  retryAfterMs: 10_000,
};

/** Failures of a route that only the operator can end. A provider's 400 counts as one if it names the account's credit. */
const LASTING_FAILURES: ReadonlySet<string> = new Set([
  'misconfigured',
  'status_400',
  'status_401',
  'status_402',
  'status_403',
]);

/**
 * The error of a request that a circuit breaker refuses.
 *
 * @param lastError the newest recorded failure of the route
 */
export function restingError(lastError: string | null): GatewayError {
  if (lastError === 'status_402') return NO_CREDIT_AT_PROVIDER;
  return lastError !== null && LASTING_FAILURES.has(lastError) ? MISCONFIGURED_PROVIDER : RESTING;
}

/** The caller's error for an error in a provider's response of a success status. Its message and code may have secrets. */
export function errorInside(reported: ReportedError, redact: Redact): GatewayError {
  if (isAccountError(reported))
    return isCreditTrouble(null, reported) ? NO_CREDIT_AT_PROVIDER : MISCONFIGURED_PROVIDER;
  const code = codeOfKind(reported.kind);
  const message = redact(reported.message);
  const error: GatewayError = { code, message, isProviders: true };
  return reported.code === null ? error : { ...error, providerCode: redact(reported.code) };
}

/** The same error without secrets. */
export function redactReported<Reported extends ReportedError>(error: Reported, redact: Redact): Reported {
  const code = error.code === null ? null : redact(error.code);
  return { ...error, message: redact(error.message), code };
}

function codeOfKind(kind: string): ErrorCode {
  switch (kind) {
    case 'overloaded_error':
    case 'rate_limit_error':
      return 'upstream_overloaded';
    case 'timeout_error':
      return 'upstream_timeout';
    case 'invalid_request_error':
    // One about the operator's account has another code.
    case 'permission_error':
    case 'request_too_large':
    case 'not_found_error':
      return 'invalid_request';
    default:
      return 'upstream_error';
  }
}

/** The error in a body with a success status. */
export function errorInAnswer(dialect: Dialect, body: JsonObject, redact: Redact): GatewayError {
  const says = body['error'] ?? body['detail'] ?? body['message'] ?? getFailedChoice(body)?.['error'] ?? null;
  const response = asObject(body['response']) ?? body;
  if (says === null && response['status'] !== 'failed') return UNREADABLE_ANSWER;
  return errorInside(getCodec(dialect).decodeError(statusIn(asObject(says) ?? body), body), redact);
}

/** The status named in an error, in place of the response's own. */
function statusIn(error: JsonObject): number {
  const named = Number(error['code'] ?? error['status_code'] ?? error['status']);
  return named >= 400 && named < 600 ? named : 500;
}

/**
 * The error that a stream starts with, before the model wrote anything.
 * @param options `isOver`: no further events follow
 * @returns null if the stream is, or may become, a response
 */
export function findOpeningError(
  dialect: Dialect,
  events: Buffer,
  { isOver, redact }: { isOver: boolean; redact: Redact },
): GatewayError | null {
  const parser = createSseParser();
  const decoder = getCodec(dialect).createStreamDecoder();
  let stranger: JsonObject | null = null;
  for (const parsed of [...parser.push(events), ...parser.finish()]) {
    const data = parseJsonObject(parsed.data);
    if (data !== null && isBareError(data)) stranger ??= data;
    for (const event of decoder.push(parsed)) {
      if (hasContent(event)) return null;
      if (event.type === 'error')
        return stranger === null ? errorInside(event, redact) : errorInAnswer(dialect, stranger, redact);
    }
  }
  if (!isOver || decoder.finish().every(({ type }) => type !== 'error')) return null;
  return stranger === null ? BROKEN_STREAM : errorInAnswer(dialect, stranger, redact);
}

/** Blocks of text start empty. */
function hasContent(event: CompletionEvent): boolean {
  switch (event.type) {
    case 'block_start':
      return event.start.type !== 'text' && event.start.type !== 'refusal';
    case 'text_delta':
    case 'thinking_delta':
      return event.text !== '';
    case 'arguments_delta':
      return true;
    default:
      return false;
  }
}

/** True for `{"detail": …}` and `{"message": …, "code": …}`, which are events of no dialect. */
function isBareError(data: JsonObject): boolean {
  if (data['choices'] !== undefined || data['type'] !== undefined || data['error'] !== undefined)
    return false;
  return data['detail'] !== undefined || data['message'] !== undefined;
}
