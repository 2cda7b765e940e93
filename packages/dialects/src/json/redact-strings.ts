const REDACTED = '[redacted]';
/** Members whose value identifies or authenticates the gateway, whatever it looks like. */
const SECRET_NAMES = /^(?:proxy-)?authorization$|api[-_]?key$|^cookie$|^openai-(?:organization|project)$/i;
const MAX_DEPTH = 20;

/**
 * Redacts every text in a parsed JSON value.
 * @returns the value itself if nothing had to be redacted
 */
export function redactStrings(value: unknown, redact: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) {
    const entries = value.map((entry) => redactStrings(entry, redact, depth + 1));
    return entries.some((entry, at) => entry !== value[at]) ? entries : value;
  }
  const members = Object.entries(value).map(([name, member]: [string, unknown]) => {
    const isSecret = SECRET_NAMES.test(name) && typeof member === 'string';
    return [name, isSecret ? REDACTED : redactStrings(member, redact, depth + 1), member] as const;
  });
  return members.some(([, redacted, member]) => redacted !== member)
    ? Object.fromEntries(members.map(([name, redacted]) => [name, redacted]))
    : value;
}
