import type { EncodeReport } from '../encode-report.ts';
import type { JsonObject } from '../json/parse-object.ts';

/** https://platform.claude.com/docs/en/api/messages#metadata */
const MAX_USER_ID = 256;
/** Anthropic refuses what looks like an email address or a phone number: it takes opaque names only. */
const EMAIL = /\S@\S/;
const PHONE = /^\+?[\d\s().-]{7,}$/;

/** Writes the name of the end user, which does not change the answer: one that Anthropic refuses is left out, and reported. */
export function encodeEndUser(name: string | null, report: EncodeReport): JsonObject {
  if (name === null) return {};
  if (name.length <= MAX_USER_ID && !EMAIL.test(name) && !PHONE.test(name))
    return { metadata: { user_id: name } };
  report.drop('user');
  return {};
}
