import { hasRepeatedMember } from './has-repeated-member.ts';
import { redactStrings } from './redact-strings.ts';

const MAX_DEPTH = 20;
/**
 * Members with text of the model, or with parts of the request that the provider repeats: errors in them are not the
 * provider's.
 */
const WRITTEN: ReadonlySet<string> = new Set([
  'input',
  'action',
  'operation',
  'arguments',
  'tools',
  'tool_choice',
  'text',
  'response_format',
  'metadata',
  'prompt',
  'instructions',
]);
/** Members of an error event that contain a response, or a part of one. */
const ANSWERS: ReadonlySet<string> = new Set(['response', 'choices', 'usage']);
/** Of an object that is an error: `web_search_tool_result_error`. */
const ERROR_TYPE = /error$/;
/** A member `error` that is not null, or a type of such an object: a value without it has no error to look for. */
const HAS_ERROR = /"error"\s*:\s*[^\sn]|error"\s*[,}]/;

/** True if a JSON text may have an error in it. */
export const mayHaveError = (json: string): boolean => HAS_ERROR.test(json);

/**
 * Redacts the errors inside a successful response: members named `error`, and objects whose type says that they
 * are one, at any depth. What the model wrote stays unchanged.
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
  return mapMembers(value, (name, member) => {
    if (WRITTEN.has(name)) return member;
    return name === 'error' ? redactStrings(member, redact) : redactErrors(member, redact, depth + 1);
  });
}

/**
 * Redacts an error event. If it contains a response, only the errors in that response are redacted.
 * @returns the value itself if nothing had to be redacted
 */
export function redactErrorEvent(event: object, redact: (text: string) => string): unknown {
  if (!Object.keys(event).some((name) => ANSWERS.has(name))) return redactStrings(event, redact);
  return mapMembers(event, (name, member) =>
    ANSWERS.has(name) ? redactErrors(member, redact) : redactMember(name, member, redact),
  );
}

/**
 * True if the JSON of an error may have a secret that its parsed value lacks: of two members with one name, only the second
 * is parsed. Then the value must be sent in place of the bytes. A text that `redact` shortens counts as one with a secret.
 */
export function hidesSecret(json: string, value: unknown, redact: (text: string) => string): boolean {
  return hasRepeatedMember(json, value) && redact(json) !== json;
}

/** Redacts a value together with its name, because some names mark a credential. */
function redactMember(name: string, member: unknown, redact: (text: string) => string): unknown {
  const value = { [name]: member };
  const redacted = redactStrings(value, redact);
  return redacted === value ? member : Object.values(redacted as object)[0];
}

/** @returns the value itself if no member has changed */
function mapMembers(value: object, map: (name: string, member: unknown) => unknown): object {
  let isChanged = false;
  const members = Object.entries(value).map(([name, member]: [string, unknown]) => {
    const mapped = map(name, member);
    isChanged ||= mapped !== member;
    return [name, mapped] as const;
  });
  return isChanged ? Object.fromEntries(members) : value;
}
