import { TRPCClientError } from '@trpc/client';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import type { AppRouter } from '../../server/router.ts';

const UNREACHABLE = "The console's server can't be reached. Check that it is running, then try again.";
const UNEXPECTED = 'Something went wrong on the server. Try again in a moment.';

type ApiError = TRPCClientError<AppRouter>;

export function isApiError(error: unknown): error is ApiError {
  return error instanceof TRPCClientError;
}

/** True if the server did not respond at all. */
export function isUnreachable(error: unknown): boolean {
  return isApiError(error) && (error.data === undefined || error.data === null);
}

/** The tRPC code of an error, or null if the server did not answer. */
export function errorCode(error: unknown): string | null {
  return isApiError(error) ? (error.data?.code ?? null) : null;
}

/** The server's machine-readable reason of a refusal, or null. */
export function errorReason(error: unknown): string | null {
  return isApiError(error) ? (error.data?.reason ?? null) : null;
}

/** A sentence for the person in front of the screen. */
export function describeError(error: unknown): string {
  if (isUnreachable(error)) return UNREACHABLE;
  if (!isApiError(error)) return UNEXPECTED;
  const issue = error.data?.zodIssues?.[0];
  return issue === undefined ? error.message : issue.message;
}

/** The server's requested wait in seconds after too many attempts. */
export function retryAfterSeconds(error: unknown): number | null {
  return isApiError(error) ? (error.data?.retryAfterSeconds ?? null) : null;
}

/**
 * Puts a refusal on the fields that it names; what names no field of this form goes to the form's root.
 * @param getField maps a path of the server's input (`scope.name`) to a field of the form, or to null
 */
export function applyServerErrors<T extends FieldValues, C, O>(
  form: UseFormReturn<T, C, O>,
  error: unknown,
  getField: (path: string) => Path<T> | `root.${string}` | null,
): void {
  const data = isApiError(error) ? error.data : null;
  const named = [
    ...(data?.zodIssues ?? []),
    ...(typeof data?.field === 'string' ? [{ path: data.field, message: describeError(error) }] : []),
  ];
  let isPlaced = false;
  for (const { path, message } of named) {
    const field = getField(path);
    if (field === null) continue;
    form.setError(field, { type: 'server', message }, { shouldFocus: !isPlaced });
    isPlaced = true;
  }
  if (!isPlaced) form.setError('root', { type: 'server', message: describeError(error) });
}

/** The usual map for `applyServerErrors`: a field of the form has the name of a step of the input's path. */
export function fieldNamed<Name extends string>(...names: Name[]): (path: string) => Name | null {
  return (path) => {
    const steps = path.split('.');
    return names.find((name) => steps.includes(name)) ?? null;
  };
}
