import type { ServerTool } from '@tollgate/core/money/rates/rate-need';
import { asObject, parseJsonObject, type JsonObject } from '../json/parse-object.ts';
import { ALL_CALL_COUNTERS } from './call-counters.ts';
import type { CountReader } from './read-count.ts';

export type ToolCalls = Partial<Record<ServerTool, number>>;

const IN_USAGE = ALL_CALL_COUNTERS.filter((counter) => counter.in === 'usage');
const IN_OUTPUT = new Map(
  ALL_CALL_COUNTERS.flatMap((counter) => (counter.in === 'output' ? [[counter.item, counter] as const] : [])),
);
/** Values of `type` in output items of the Responses API for calls of hosted tools. */
export const OUTPUT_CALL_TYPES: ReadonlyMap<string, { tool: ServerTool }> = IN_OUTPUT;

/** Reads the calls of server tools that the usage object counts. @returns null if it counts none */
export function readToolCalls(raw: JsonObject, counts: CountReader): ToolCalls | null {
  let calls: ToolCalls | null = null;
  for (const { object, member, tool } of IN_USAGE) {
    const holder = object === null ? raw : asObject(raw[object]);
    const count = holder === null ? null : counts.read(holder[member]);
    if (count === null || count === 0) continue;
    calls ??= {};
    calls[tool] = (calls[tool] ?? 0) + count;
  }
  return calls;
}

/** True if a usage object, as JSON, counts the calls of a tool, even as none. @param rawUsage null: no usage object */
export function reportsCalls(rawUsage: string | null, tool: ServerTool): boolean {
  const raw = rawUsage === null ? null : parseJsonObject(rawUsage);
  if (raw === null) return false;
  return IN_USAGE.some((counter) => {
    if (counter.tool !== tool) return false;
    const holder = counter.object === null ? raw : asObject(raw[counter.object]);
    return typeof holder?.[counter.member] === 'number';
  });
}

/** Counts the calls of hosted tools in the `output` of a response; usage does not report them. */
export function countOutputToolCalls(output: unknown): ToolCalls | null {
  const calls: ToolCalls = {};
  const containers = new Set<string>();
  for (const entry of Array.isArray(output) ? output : []) {
    const item = asObject(entry);
    const type = item?.['type'];
    const counter = typeof type === 'string' ? IN_OUTPUT.get(type) : undefined;
    if (item === null || counter === undefined) continue;
    const { tool, freeActions, perContainer } = counter;
    const action = asObject(item['action'])?.['type'];
    if (typeof action === 'string' && freeActions?.includes(action) === true) continue;
    if (perContainer !== undefined) {
      const container = item['container_id'] ?? asObject(item['environment'])?.['container_id'];
      if (typeof container !== 'string' && perContainer === 'where named') continue;
      if (typeof container === 'string') {
        if (containers.has(container)) continue;
        containers.add(container);
      }
    }
    calls[tool] = (calls[tool] ?? 0) + 1;
  }
  return Object.keys(calls).length === 0 ? null : calls;
}

/** True if the message or delta of a chat choice cites the web: a search model of OpenAI searched once. */
export function citesWeb(choice: JsonObject | null): boolean {
  const message = asObject(choice?.['message']) ?? asObject(choice?.['delta']);
  const annotations: unknown = message?.['annotations'];
  return (
    Array.isArray(annotations) && annotations.some((each) => asObject(each)?.['type'] === 'url_citation')
  );
}
