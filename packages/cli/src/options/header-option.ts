import { findHeaderNameProblem, findHeaderValueProblem } from '@tollgate/core/providers/provider-headers';
import { z } from 'zod';

/** Parses headers of the form `'name: value'`; names become lowercase. */
export const headerOption = z.array(z.string()).transform((lines, context) => {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    const problem = getProblem(name, value);
    if (problem !== null) context.addIssue({ code: 'custom', message: problem });
    headers[name] = value;
  }
  return headers;
});

function getProblem(name: string, value: string): string | null {
  if (name === '') return "must look like 'name: value'";
  return findHeaderNameProblem(name) ?? findHeaderValueProblem(value);
}
