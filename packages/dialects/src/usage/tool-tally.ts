import { getInputTokens, type TokenUsage, type UsageExtras } from '@tollgate/core/money/money';
import { SERVER_TOOLS, type ServerTool } from '@tollgate/core/money/rates/rate-need';
import { tokensOfBytes } from '../input-tokens/tokens-of-bytes.ts';
import { getLabel } from '../json/get-label.ts';
import { leftOutBytes } from '../json/left-out.ts';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { CountReader } from './read-count.ts';
import { countOutputToolCalls, OUTPUT_CALL_TYPES, readToolCalls } from './read-tool-calls.ts';
import type { UsageReport } from './usage-report.ts';

/** Input tokens that the model reads of one call's results if the answer does not show them. */
const RESULT_TOKENS: Readonly<Record<ServerTool, number>> = {
  // OpenAI bills blocks of this size: https://platform.openai.com/docs/pricing
  web_search: 8_000,
  web_search_preview: 8_000,
  // An average page: https://docs.claude.com/en/docs/agents-and-tools/tool-use/web-fetch-tool
  web_fetch: 2_500,
  code_execution: 500,
  // By default 20 chunks of 800: https://platform.openai.com/docs/guides/tools-file-search
  file_search: 16_000,
  image_generation: 0,
};
/** Names of Anthropic's `server_tool_use` blocks. Blocks of their results are called `<name>_tool_result`. */
const BLOCK_TOOLS: ReadonlyMap<string, ServerTool> = new Map<string, ServerTool>(
  Object.entries({
    web_search: 'web_search',
    web_fetch: 'web_fetch',
    code_execution: 'code_execution',
    bash_code_execution: 'code_execution',
    text_editor_code_execution: 'code_execution',
  } as const),
);
const RESULT_SUFFIX = '_tool_result';
/** Calls beyond this are not distinguished. No provider makes so many for one request. */
const MAX_CALLS = 1_000;

/** Values of `type` in Anthropic's blocks that a tally must see. */
export const TOOL_BLOCK_TYPES: readonly string[] = [
  'server_tool_use',
  ...[...BLOCK_TOOLS.keys()].map((name) => name + RESULT_SUFFIX),
];
/** Values of `type` in output items of the Responses API that a tally must see. */
export const TOOL_ITEM_TYPES: readonly string[] = [...OUTPUT_CALL_TYPES.keys()];
const TYPES = new RegExp(`"(?:${[...TOOL_BLOCK_TYPES, ...TOOL_ITEM_TYPES].join('|')})"`);

/** False: an event has no server tool, so its JSON need not be parsed. */
export function mayTellOfTools(json: string): boolean {
  return TYPES.test(json);
}

/** The calls of one tool. */
interface Calls {
  /** Billed calls that Anthropic's blocks show. */
  calls: number;
  /** Billed calls that output items show. */
  itemCalls: number;
  /** All of them: each reads something. */
  reads: number;
  results: number;
  /** Of the results that the answer shows. */
  resultTokens: number;
}

/** A call that is an item of the output. */
interface OutputItem {
  id: unknown;
  /** Its place in the output. */
  index: unknown;
  facts: JsonObject;
  /** The event that ends it has come. */
  isDone: boolean;
}

/** Where an item is seen: when it begins, when it ends, or in the response at the end. */
type ItemEvent = 'added' | 'done' | 'end';

const NO_CALLS: Readonly<Calls> = { calls: 0, itemCalls: 0, reads: 0, results: 0, resultTokens: 0 };

/** The calls that were added to a usage. */
export interface CountedTools {
  usage: TokenUsage;
  /** True: calls or input were added that no report covers. */
  isEstimated: boolean;
}

/**
 * Counts the calls of server tools that an answer shows, and what the model read of their results: for answers that end
 * before the provider reports either.
 */
export class ToolTally {
  readonly #blocks = new Map<ServerTool, Calls>();
  readonly #ids = new Set<string>();
  /** The last event of each item says most about it. */
  readonly #items: OutputItem[] = [];
  /** The same counts when the provider last reported usage of the whole answer; null: it has not. */
  #reported: Map<ServerTool, Calls> | null = null;

  /** Takes one event of a stream, or any other object that holds a block or an output item. */
  readEvent(event: JsonObject): void {
    const block = asObject(event['content_block']);
    if (block !== null) this.#readBlock(block, event['index']);
    const item = asObject(event['item']);
    if (item !== null) {
      const isAdded = event['type'] === 'response.output_item.added';
      this.#readItem(item, event['output_index'], isAdded ? 'added' : 'done');
    }
    const output = this.#items.length === 0 ? null : asObject(event['response'])?.['output'];
    if (Array.isArray(output)) this.#updateItems(output);
  }

  /** The provider has reported the usage of everything up to here. */
  noteReported(): void {
    this.#reported = this.#count();
  }

  /**
   * Adds calls that the provider has not reported.
   * @param report that the usage was completed from; null: there is none
   */
  addTo(usage: TokenUsage, report: UsageReport | null = null): CountedTools {
    if (this.#blocks.size + this.#items.length === 0) return { usage, isEstimated: false };
    let { inputTokens } = usage;
    const toolCalls: { [Tool in ServerTool]?: number | undefined } = { ...usage.extras?.toolCalls };
    const inUsage = report === null ? null : readToolCalls(report.raw, new CountReader());
    let isEstimated = false;
    for (const [tool, seen] of this.#count()) {
      const known = this.#reported?.get(tool) ?? NO_CALLS;
      const reportedCalls = toolCalls[tool] ?? 0;
      const calls = this.#getCalls(seen, known, { reportedCalls, isInUsage: inUsage?.[tool] !== undefined });
      if (calls > 0) toolCalls[tool] = calls;
      isEstimated ||= calls > Math.max(reportedCalls, known.itemCalls);
      inputTokens += readTokens(tool, seen) - readTokens(tool, known);
    }
    const added = { ...usage, inputTokens, extras: { ...usage.extras, toolCalls } };
    isEstimated ||= getInputTokens(added) > getInputTokens(usage);
    return isEstimated || hasMore(toolCalls, usage)
      ? { usage: added, isEstimated }
      : { usage, isEstimated: false };
  }

  /** @param reported calls of one tool, and whether the usage object counts them */
  #getCalls(
    seen: Calls,
    known: Calls,
    { reportedCalls, isInUsage }: { reportedCalls: number; isInUsage: boolean },
  ): number {
    // An early report may count calls that were seen.
    if (this.#reported === null) return Math.max(reportedCalls, seen.calls + seen.itemCalls);
    const later = seen.calls - known.calls;
    // The last one counts all that were seen until then, but only if it counts calls at all: for output items, the usage of
    // the Responses API does not, and the response at the end may lack them.
    return isInUsage
      ? reportedCalls + later + seen.itemCalls - known.itemCalls
      : Math.max(reportedCalls, seen.itemCalls) + later;
  }

  #readBlock(block: JsonObject, index: unknown): void {
    const { type, name, id } = block as { type?: unknown; name?: unknown; id?: unknown };
    if (type === 'server_tool_use' && typeof name === 'string') {
      const tool = BLOCK_TOOLS.get(name);
      if (tool !== undefined) this.#addCall(tool, typeof id === 'string' ? id : `block ${getLabel(index)}`);
    } else if (typeof type === 'string' && type.endsWith(RESULT_SUFFIX)) {
      const tool = BLOCK_TOOLS.get(type.slice(0, -RESULT_SUFFIX.length));
      if (tool !== undefined) this.#addResult(tool, block['content']);
    }
  }

  #readItem(item: JsonObject, index: unknown, event: ItemEvent): void {
    const { id, type, action, container_id, environment } = item as Record<string, unknown>;
    if (typeof type !== 'string' || !OUTPUT_CALL_TYPES.has(type)) return;
    const facts = { type, action, container_id, environment };
    const alike = this.#items.filter((each) => each.facts['type'] === type);
    const isHere = (each: OutputItem) =>
      each.index === index || each.index === undefined || index === undefined;
    const known =
      alike.findLast((each) => typeof id === 'string' && each.id === id && isHere(each)) ??
      // The ID may have changed since the item was added.
      (event === 'added'
        ? undefined
        : alike.findLast((each) => each.index === index && (event === 'end' || !each.isDone)));
    if (known !== undefined) Object.assign(known, { id, facts, isDone: known.isDone || event !== 'added' });
    else if (event !== 'end' && this.#items.length < MAX_CALLS)
      this.#items.push({ id, index, facts, isDone: event === 'done' });
  }

  /** The response at the end of a stream says how the calls that were seen ended. */
  #updateItems(output: readonly unknown[]): void {
    for (const [index, entry] of output.entries()) {
      const item = asObject(entry);
      if (item !== null) this.#readItem(item, index, 'end');
    }
  }

  #addResult(tool: ServerTool, content: unknown): void {
    const counts = getEntry(this.#blocks, tool);
    counts.results += 1;
    counts.resultTokens += tokensOfBytes(sizeOfResult(content));
  }

  /** @param id of the call; several events report the same one */
  #addCall(tool: ServerTool, id: string): void {
    if (this.#ids.has(id) || this.#ids.size >= MAX_CALLS) return;
    this.#ids.add(id);
    const counts = getEntry(this.#blocks, tool);
    counts.calls += 1;
    counts.reads += 1;
  }

  /** Everything that was seen so far. */
  #count(): Map<ServerTool, Calls> {
    const counted = new Map([...this.#blocks].map(([tool, counts]) => [tool, { ...counts }] as const));
    if (this.#items.length === 0) return counted;
    const items = this.#items.map(({ facts }) => facts);
    for (const { type } of items as { type?: unknown }[]) {
      const tool = OUTPUT_CALL_TYPES.get(getLabel(type))?.tool;
      if (tool !== undefined) getEntry(counted, tool).reads += 1;
    }
    const billed = countOutputToolCalls(items) ?? {};
    for (const tool of SERVER_TOOLS) {
      const calls = billed[tool] ?? 0;
      if (calls > 0) getEntry(counted, tool).itemCalls += calls;
    }
    return counted;
  }
}

function getEntry(counts: Map<ServerTool, Calls>, tool: ServerTool): Calls {
  const known = counts.get(tool);
  if (known !== undefined) return known;
  const added = { ...NO_CALLS };
  counts.set(tool, added);
  return added;
}

function readTokens(tool: ServerTool, { reads, results, resultTokens }: Calls): number {
  return resultTokens + Math.max(0, reads - results) * RESULT_TOKENS[tool];
}

function hasMore(calls: UsageExtras['toolCalls'], { extras }: TokenUsage): boolean {
  return SERVER_TOOLS.some((tool) => (calls?.[tool] ?? 0) > (extras?.toolCalls?.[tool] ?? 0));
}

/** Length of all texts in a result, also if an outline left them out; encrypted content is base64 of the text. */
function sizeOfResult(result: unknown): number {
  let size = 0;
  // Not by recursion: what is nested ten thousand deep would overflow the stack.
  const open: [name: string, value: unknown][] = [['', result]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [name, value] = next;
    if (typeof value === 'string') {
      const length = leftOutBytes(value) ?? value.length;
      size += name.startsWith('encrypted_') ? (length * 3) / 4 : length;
    } else if (typeof value === 'object' && value !== null)
      for (const entry of Object.entries(value)) open.push(entry);
  }
  return size;
}
