import type { FieldReader } from '../json/field-reader.ts';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { decodeInclude, INCLUDE_LOGPROBS, INCLUDE_REASONING } from './decode-settings.ts';
import { isOpaqueChoice } from './decode-tools.ts';

/** Members with their own canonical field, and members without meaning (`store` was checked to be false). */
const READ_MEMBERS: ReadonlySet<string> = new Set(
  (
    'model stream stream_options input instructions tools tool_choice parallel_tool_calls text max_output_tokens ' +
    'temperature top_p top_logprobs reasoning include service_tier user safety_identifier metadata prompt_cache_key ' +
    'store previous_response_id conversation background prompt'
  ).split(' '),
);
const READ_OF_FUNCTION = new Set([
  'type',
  'name',
  'description',
  'parameters',
  'strict',
  'prompt_cache_breakpoint',
]);

/** Collects what no canonical field holds, under the path that a caller would name it by: `reasoning.summary`. */
export function decodeExtra(body: JsonObject, reader: FieldReader): JsonObject {
  const extra: JsonObject = {};
  const keep = (object: unknown, known: ReadonlySet<string>, prefix: string) => {
    for (const [name, value] of Object.entries(asObject(object) ?? {}))
      if (!known.has(name) && value !== null) extra[prefix + name] = value;
  };
  keep(body, READ_MEMBERS, '');
  keep(body['reasoning'], new Set(['effort']), 'reasoning.');
  keep(body['text'], new Set(['format', 'verbosity']), 'text.');
  const tools: unknown[] = Array.isArray(body['tools']) ? body['tools'] : [];
  for (const tool of tools)
    if (asObject(tool)?.['type'] === 'function') keep(tool, READ_OF_FUNCTION, 'tools.');
  if (isOpaqueChoice(body['tool_choice'])) extra['tool_choice'] = body['tool_choice'];
  // The default everywhere.
  if (extra['truncation'] === 'disabled') delete extra['truncation'];
  const include = decodeInclude(body, reader).filter(
    (name) => name !== INCLUDE_LOGPROBS && name !== INCLUDE_REASONING,
  );
  if (include.length > 0) extra['include'] = include;
  return extra;
}
