import type { ProviderErrorKind } from '../provider-error.ts';

const TYPES: Readonly<Record<ProviderErrorKind, true>> = {
  invalid_request_error: true,
  authentication_error: true,
  billing_error: true,
  permission_error: true,
  not_found_error: true,
  request_too_large: true,
  rate_limit_error: true,
  timeout_error: true,
  overloaded_error: true,
  api_error: true,
};

/** True for the error types of this dialect (https://docs.anthropic.com/en/api/errors). */
export function isErrorType(value: unknown): value is ProviderErrorKind {
  return typeof value === 'string' && Object.hasOwn(TYPES, value);
}
