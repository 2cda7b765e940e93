import { z } from 'zod';

const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*:\s*(.*)$/;
/** What the transport writes itself. */
const RESERVED = new Set(['host', 'content-length', 'transfer-encoding', 'connection', 'content-type']);

/** Headers as typed, `'name: value'` each; names in lower case. */
export const headerOption = z.array(z.string()).transform((lines, context) => {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name = '', value = ''] = HEADER.exec(line.trim()) ?? [];
    const problem = problemOf(name.toLowerCase(), value);
    if (problem !== null) context.addIssue({ code: 'custom', message: problem });
    headers[name.toLowerCase()] = value;
  }
  return headers;
});

function problemOf(name: string, value: string): string | null {
  if (name === '') return "must look like 'name: value'";
  if (RESERVED.has(name)) return `${name} is written by the gateway itself`;
  // Visible Latin-1, blanks and tabs: RFC 9110 section 5.5.
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
    ? null
    : `the value of ${name} has characters that no header can carry`;
}
