import type { EncodeReport } from '../encode-report.ts';
import type { JsonObject } from '../json/parse-object.ts';

/** The longest `user`, `safety_identifier` and `prompt_cache_key` that OpenAI takes; Claude Code names its users in more. */
const MAX_NAME = 64;

export interface EncodedName {
  /** The member that holds it. */
  to: string;
  /** The caller's name of the field, if it is dropped. */
  from: string;
  value: string | null;
}

/** Writes a name that does not change the answer: one that is too long is left out, and reported. */
export function encodeName({ to, from, value }: EncodedName, report: EncodeReport): JsonObject {
  if (value === null) return {};
  if (value.length <= MAX_NAME) return { [to]: value };
  report.drop(from);
  return {};
}
