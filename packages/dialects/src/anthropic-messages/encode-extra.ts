import { asObject, type JsonObject } from '../json/parse-object.ts';
import type { EncodeReport } from '../encode-report.ts';

/** Members of this dialect that the canonical request has no field for. */
const OWN_MEMBERS = new Set([
  'cache_control',
  'container',
  'context_management',
  'diagnostics',
  'inference_geo',
  'mcp_servers',
  'speed',
]);
/** Members of other dialects without which the answer would be another one. */
const MEANINGFUL_MEMBERS = new Set([
  'web_search_options',
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
    if (OWN_MEMBERS.has(name) && !isForeign(name, value)) written[name] = value;
    else if (MEANINGFUL_MEMBERS.has(name)) report.refuse(name, name);
    // `store: false` is the default behavior here, so nothing is lost.
    else if (name !== 'store' || value !== false) report.drop(name);
  }
  return written;
}

/** The Responses API has a list of this name, with other entries. */
const isForeign = (name: string, value: unknown): boolean =>
  name === 'context_management' && asObject(value) === null;
