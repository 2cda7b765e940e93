import type { JsonObject } from '../json/parse-object.ts';
import type { ProviderError, ProviderErrorKind } from '../provider-error.ts';

/** The type and the code of each kind of error (https://platform.openai.com/docs/guides/error-codes). */
const NAMES: Record<ProviderErrorKind, { type: string; code: string }> = {
  invalid_request_error: { type: 'invalid_request_error', code: 'upstream_rejected' },
  authentication_error: { type: 'authentication_error', code: 'upstream_rejected' },
  billing_error: { type: 'billing_error', code: 'upstream_rejected' },
  permission_error: { type: 'permission_error', code: 'upstream_rejected' },
  not_found_error: { type: 'invalid_request_error', code: 'upstream_rejected' },
  request_too_large: { type: 'invalid_request_error', code: 'upstream_rejected' },
  rate_limit_error: { type: 'rate_limit_error', code: 'upstream_rejected' },
  timeout_error: { type: 'server_error', code: 'upstream_timeout' },
  overloaded_error: { type: 'server_error', code: 'upstream_overloaded' },
  api_error: { type: 'server_error', code: 'upstream_error' },
};

/** The `type` of an error of this kind. */
export function typeOfKind(kind: ProviderErrorKind): string {
  return NAMES[kind].type;
}

/** Writes the body of an answer that is a provider's error. The provider's own code is more exact than that of the kind. */
export function encodeOpenAiError({ kind, message, code }: ProviderError): JsonObject {
  const named = NAMES[kind];
  return { error: { message, param: null, ...named, code: code ?? named.code } };
}
