import type { z } from 'zod';

/** An issue as the forms want it. */
export interface FieldIssue {
  /** `scope.name`, or '' for the whole input. */
  path: string;
  message: string;
}

/** Flattens zod's issues. For a union, it uses the variant that is closest to the input, or the first one. */
export function listFieldIssues(error: z.ZodError): FieldIssue[] {
  return error.issues.flatMap((issue) => flatten(issue, []));
}

function flatten(issue: z.core.$ZodIssue, parents: PropertyKey[]): FieldIssue[] {
  const path = [...parents, ...issue.path];
  if (issue.code === 'invalid_union') {
    const [closest] = issue.errors.toSorted((a, b) => a.length - b.length);
    if (closest !== undefined) return closest.flatMap((inner) => flatten(inner, path));
  }
  return [{ path: path.map(String).join('.'), message: issue.message }];
}
