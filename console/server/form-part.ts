import type { z } from 'zod';
import { deny } from './denial.ts';
import { listFieldIssues, type FieldIssue } from './zod-issues.ts';

/** A part of a form: its value, or its errors. The parts are read separately, so that all errors are reported together. */
export type FormPart<Value> = { ok: true; value: Value } | { ok: false; issues: FieldIssue[] };

export function acceptPart<Value>(value: Value): FormPart<Value> {
  return { ok: true, value };
}

/** @param path of the invalid field, from the whole input */
export function refusePart(path: string, message: string): { ok: false; issues: FieldIssue[] } {
  return { ok: false, issues: [{ path, message }] };
}

/** Parses a part with its schema. @param path of the part, from the whole input */
export function parsePart<Value>(path: string, schema: z.ZodType<Value>, value: unknown): FormPart<Value> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return acceptPart(parsed.data);
  const issues = listFieldIssues(parsed.error);
  return {
    ok: false,
    issues: issues.map((issue) => ({ ...issue, path: issue.path === '' ? path : `${path}.${issue.path}` })),
  };
}

/** The values of all parts. @throws TRPCError with the errors of all parts */
export function joinParts<Values extends Record<string, unknown>>(parts: {
  [Name in keyof Values]: FormPart<Values[Name]>;
}): Values {
  const all = Object.entries<FormPart<unknown>>(parts);
  const issues = all.flatMap(([, part]) => (part.ok ? [] : part.issues));
  const [first] = issues;
  if (first !== undefined) throw deny('BAD_REQUEST', first.message, { field: first.path, issues });
  return Object.fromEntries(all.map(([name, part]) => [name, part.ok ? part.value : null])) as Values;
}
