import type { JsonObject } from '../json/parse-object.ts';
import { isCustom } from './decode-tools.ts';
import { anthropicRequestSchema, type AnthropicRequest } from './request-schema.ts';

const TOP: ReadonlySet<string> = new Set(Object.keys(anthropicRequestSchema.shape));
const TOOL = new Set(['type', 'name', 'description', 'input_schema', 'strict', 'cache_control']);

/**
 * Collects what no canonical field holds, under the path that a caller would name it by: `container`,
 * `thinking.display`, `tools.defer_loading`.
 */
export function decodeExtra(body: AnthropicRequest): JsonObject {
  const extra: JsonObject = {};
  const keep = (object: JsonObject | null | undefined, known: ReadonlySet<string>, prefix = '') => {
    for (const [name, value] of Object.entries(object ?? {})) {
      if (!known.has(name) && value !== null) extra[prefix + name] = value;
    }
  };
  keep(body, TOP);
  for (const tool of (body.tools ?? []).filter(isCustom)) keep(tool, TOOL, 'tools.');
  keep(body.metadata, new Set(['user_id']), 'metadata.');
  keep(body.output_config, new Set(['effort', 'format']), 'output_config.');
  const { thinking, output_config: output } = body;
  keep(thinking, new Set(['type', 'budget_tokens']), 'thinking.');
  // The default of most models, and what every other dialect does.
  if (extra['thinking.display'] === 'summarized') delete extra['thinking.display'];
  if (thinking?.type === 'between_tools') extra['thinking.type'] = 'between_tools';
  const hasEffort = (output?.effort ?? null) !== null;
  if (hasEffort && (thinking?.type === 'enabled' || thinking?.type === 'disabled'))
    extra['output_config.effort'] = output?.effort;
  return extra;
}
