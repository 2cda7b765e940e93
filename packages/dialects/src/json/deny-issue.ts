import { deny } from '@tollgate/core/errors/errors';
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/**
 * Describes the error of a request that failed its schema, and its place: the first issue, or for a union the issue
 * that its best-fitting member got furthest with.
 */
export function denyIssue(error: z.ZodError): ReturnType<typeof deny> {
  const [first] = error.issues;
  if (first === undefined) return deny('invalid_request', 'The request is not valid.');
  const { path, message } = innermostIssue(first, []);
  const param = path.map(String).join('.');
  const text = message
    .replace(/^Invalid input: /, '')
    .replace(/^expected (.*), received undefined$/, 'is required, as a value of type $1');
  return param === ''
    ? deny('invalid_request', `${text}.`)
    : deny('invalid_request', `${param}: ${text}.`, { param });
}

/**
 * The error that an issue comes down to: its own, or within a union that of the member that fits best.
 * @param above path of the invalid value
 */
export function innermostIssue(
  issue: Issue,
  above: readonly PropertyKey[],
): { path: PropertyKey[]; message: string } {
  const path = [...above, ...issue.path];
  if (issue.code !== 'invalid_union') return { path, message: issue.message };
  const members = issue.errors.flatMap(([first]) =>
    first === undefined ? [] : [innermostIssue(first, path)],
  );
  const deepest = members.reduce<{ path: PropertyKey[]; message: string } | null>(
    (best, found) => (best === null || found.path.length > best.path.length ? found : best),
    null,
  );
  if (deepest !== null && deepest.path.length > path.length) return deepest;
  return {
    path,
    message: issue.message === 'Invalid input' ? (deepest?.message ?? issue.message) : issue.message,
  };
}
