import type { EncodeReport } from '../encode-report.ts';
import type { JsonObject } from '../json/parse-object.ts';

/** Members of this dialect that the canonical request has no field for. */
const OWN_MEMBERS = new Set([
  'audio',
  'prediction',
  'store',
  'prompt_cache_retention',
  'prompt_cache_options',
  'moderation',
]);

/** Members of other dialects without which the answer would be another one. */
const MEANINGFUL_MEMBERS = new Set([
  'mcp_servers',
  'container',
  'previous_response_id',
  'conversation',
  'prompt',
  'background',
  'tool_choice',
]);

/** Writes the members of the caller's body that are not canonical, as far as this dialect has them. */
export function encodeExtra(extra: Readonly<Record<string, unknown>>, report: EncodeReport): JsonObject {
  const written: JsonObject = {};
  for (const [name, value] of Object.entries(extra)) {
    if (OWN_MEMBERS.has(name)) written[name] = value;
    else if (MEANINGFUL_MEMBERS.has(name)) report.refuse(name, name);
    else report.drop(name);
  }
  return written;
}
