import { encodeCacheControl } from '../anthropic-messages/encode-cache-control.ts';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { hasBreakpoints } from './has-breakpoints.ts';
import { sizeText } from './size-text.ts';

/** Why a cache write probably pays: the next request reads what this one writes. */
export interface ReuseSigns {
  /** The shortest prefix that the model's provider caches, in tokens. */
  minTokens: number;
  /** The request has a `prompt_cache_key`. */
  hasKey: boolean;
  /** A coding agent sent the request. */
  isAgent: boolean;
}

const BREAKPOINT = encodeCacheControl({ ttl: null });
/** Blocks that the provider refuses to mark. */
const UNMARKED: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking']);
/** The end of this request and of the last one: a turn may have more blocks than the provider looks back. */
const MARKED_TURNS = 2;

/**
 * Places cache breakpoints in a body that the gateway wrote for `POST /v1/messages`
 * (https://platform.claude.com/docs/en/build-with-claude/prompt-caching): after the tools, after the system prompt and at the
 * ends of this request and of the last one, four at most. A cache write costs more than plain input, so it places none if nothing
 * shows that the same prefix will be sent again, and none if the caller has placed its own.
 * @param body its lists of tools, blocks and turns are changed; the objects in them are replaced
 */
export function placeBreakpoints(body: JsonObject, signs: ReuseSigns): void {
  if (hasBreakpoints(body)) return;
  const { minTokens } = signs;
  const tools = getList(body['tools']);
  const system = getList(body['system']);
  const turns = getList(body['messages']);
  const enough = sizeText(minTokens);
  const hasTools = tools.length > 0 && enough.add(tools);
  const hasPrefix = enough.add(system);
  const isContinued = signs.hasKey || signs.isAgent || hasHistory(turns) || (hasPrefix && isToolLoop(body));
  if (!isContinued && !hasPrefix) return;
  if (hasTools) markLast(tools);
  if (hasPrefix) markLast(system);
  if (!isContinued || !enough.add(turns)) return;
  for (const { content } of listEnds(turns).slice(-MARKED_TURNS)) markLast(getList(content));
}

/** The last turn before each of the assistant's: of the user, or of the system after it. */
function listEnds(turns: readonly JsonObject[]): JsonObject[] {
  const isOther = (turn: JsonObject | undefined) => turn !== undefined && turn['role'] !== 'assistant';
  return turns.filter((turn, at) => isOther(turn) && !isOther(turns[at + 1]));
}

/** True if the model has answered before. A turn of the assistant at the end is the start of its answer. */
function hasHistory(turns: readonly JsonObject[]): boolean {
  return turns.slice(0, -1).some(({ role }) => role === 'assistant');
}

/** True if the model may call tools, whose results come with the next request. A forced tool is mostly the answer itself. */
function isToolLoop({ tools, tool_choice: choice }: JsonObject): boolean {
  const type = asObject(choice)?.['type'] ?? 'auto';
  return getList(tools).length > 0 && type === 'auto';
}

function markLast(blocks: JsonObject[]): void {
  const at = blocks.findLastIndex(({ type }) => !UNMARKED.has(type));
  const block = blocks[at];
  if (block !== undefined) blocks[at] = { ...block, ...BREAKPOINT };
}

const isList = (value: unknown): value is JsonObject[] => Array.isArray(value);
const getList = (value: unknown): JsonObject[] => (isList(value) ? value : []);
