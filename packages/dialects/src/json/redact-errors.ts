import { redactStrings } from './redact-strings.ts';

const MAX_DEPTH = 20;
/** Members that hold what the model wrote: the input of a tool may have errors of its own subject. */
const WRITTEN: ReadonlySet<string> = new Set(['input', 'action', 'operation']);
/** Of an object that is an error: `web_search_tool_result_error`. */
const ERROR_TYPE = /error$/;
/** A member `error` that is not null, or a type of such an object: a value without it has no error to look for. */
const HAS_ERROR = /"error"\s*:\s*[^\sn]|error"\s*[,}]/;

/** True if a JSON text may have an error in it. */
export const mayHaveError = (json: string): boolean => HAS_ERROR.test(json);

/**
 * Redacts the errors inside a response that is no error itself: members named `error`, and objects whose type says that they
 * are one, wherever they are. What the model wrote stays as it is.
 * @returns the value itself if nothing had to be redacted
 */
export function redactErrors(value: unknown, redact: (text: string) => string, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) return value;
  if (Array.isArray(value)) {
    const entries = value.map((entry) => redactErrors(entry, redact, depth + 1));
    return entries.some((entry, at) => entry !== value[at]) ? entries : value;
  }
  if ('type' in value && typeof value.type === 'string' && ERROR_TYPE.test(value.type))
    return redactStrings(value, redact);
  let isChanged = false;
  const members = Object.entries(value).map(([name, member]: [string, unknown]) => {
    if (WRITTEN.has(name)) return [name, member] as const;
    const redacted =
      name === 'error' ? redactStrings(member, redact) : redactErrors(member, redact, depth + 1);
    isChanged ||= redacted !== member;
    return [name, redacted] as const;
  });
  return isChanged ? Object.fromEntries(members) : value;
}
