import type { EncodeReport } from '../encode-report.ts';
import { asObject, type JsonObject } from '../json/parse-object.ts';

/** Members of this dialect that the canonical request has no field for. */
const OWN_MEMBERS = new Set([
  'access_programs',
  'context_management',
  'image',
  'include',
  'max_tool_calls',
  'moderation',
  'prompt_cache_options',
  'prompt_cache_retention',
  'tool_choice',
  'truncation',
]);

/** Members of other dialects without which the answer would be another one. */
const MEANINGFUL_MEMBERS = new Set(['mcp_servers', 'container', 'web_search_options', 'audio']);

/** `reasoning.summary` belongs into `reasoning`. */
const NESTED = /^(reasoning|text)\.(.+)$/;

/** Writes the members of the caller's body that are not canonical, as far as this dialect has them. */
export function encodeExtra(extra: Readonly<Record<string, unknown>>, report: EncodeReport): JsonObject {
  const written: JsonObject = {};
  for (const [name, value] of Object.entries(extra)) {
    const [, owner, member] = NESTED.exec(name) ?? [];
    if (owner !== undefined && member !== undefined)
      written[owner] = { ...asObject(written[owner]), [member]: value };
    else if (OWN_MEMBERS.has(name) && !isForeign(name, value)) written[name] = value;
    else if (MEANINGFUL_MEMBERS.has(name)) report.refuse(name, name);
    else if (name !== 'store' || value === true) report.drop(name);
  }
  return written;
}

/** The Messages API has an object of this name, with other members. */
const isForeign = (name: string, value: unknown): boolean =>
  name === 'context_management' && !Array.isArray(value);
