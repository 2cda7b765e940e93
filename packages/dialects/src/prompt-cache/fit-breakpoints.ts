import type { EncodeReport } from '../encode-report.ts';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { hasBreakpoints } from './has-breakpoints.ts';

/** Anthropic refuses more in one request. */
const MAX_BREAKPOINTS = 4;
/** Lists of a block that may hold marked blocks: the content of a tool's result. */
const MAX_NESTING = 2;

/**
 * Fits the caller's own breakpoints to the rules of the Messages API
 * (https://platform.claude.com/docs/en/build-with-claude/prompt-caching). OpenAI takes any number, and writes the last ones
 * (https://developers.openai.com/api/docs/guides/prompt-caching), so the last ones stay. A longer lifetime must not come after
 * a shorter one, so it becomes the default, which costs less.
 * @param body its lists of tools, blocks and turns are replaced if they change
 */
export function fitBreakpoints(body: JsonObject, report: EncodeReport): void {
  if (!hasBreakpoints(body)) return;
  const marks: JsonObject[] = [];
  const collect = (control: JsonObject) => {
    marks.push(control);
    return control;
  };
  mapMarks(body, collect);
  const isAutomatic = asObject(body['cache_control']) !== null;
  const first = marks.length - MAX_BREAKPOINTS + (isAutomatic ? 1 : 0);
  const firstShort = marks.findIndex((control, at) => at >= first && !isLong(control));
  const isOrdered = firstShort < 0 || !marks.slice(firstShort).some(isLong);
  if (first <= 0 && isOrdered) return;
  report.drop('cache_control');
  let at = -1;
  const fitted = mapMarks(body, (control) => {
    at += 1;
    if (at < first) return null;
    return at > firstShort && firstShort >= 0 && isLong(control) ? { type: 'ephemeral' } : control;
  });
  Object.assign(body, fitted);
}

const isLong = ({ ttl }: JsonObject): boolean => ttl === '1h';

type Change = (control: JsonObject) => JsonObject | null;

/** @returns the lists of a body with other marks, in the order in which the provider reads them */
function mapMarks({ tools, system, messages }: JsonObject, change: Change): JsonObject {
  const mapped: JsonObject = {};
  if (Array.isArray(tools)) mapped['tools'] = mapList(tools, change, 0);
  if (Array.isArray(system)) mapped['system'] = mapList(system, change, 0);
  if (Array.isArray(messages))
    mapped['messages'] = messages.map((turn: unknown) => {
      const object = asObject(turn);
      const content: unknown = object?.['content'];
      return Array.isArray(content) ? { ...object, content: mapList(content, change, MAX_NESTING) } : turn;
    });
  return mapped;
}

function mapList(list: readonly unknown[], change: Change, levels: number): unknown[] {
  return list.map((entry) => {
    const object = asObject(entry);
    return object === null ? entry : mapBlock(object, change, levels);
  });
}

/** Content within a block comes before the end of the block. */
function mapBlock(block: JsonObject, change: Change, levels: number): JsonObject {
  const { content } = block;
  const inner: JsonObject =
    levels > 0 && Array.isArray(content) ? { content: mapList(content, change, levels - 1) } : {};
  const control = asObject(block['cache_control']);
  if (control === null) return { ...block, ...inner };
  const changed = change(control);
  const { cache_control: _mark, ...unmarked } = { ...block, ...inner };
  return changed === null ? unmarked : { ...unmarked, cache_control: changed };
}
