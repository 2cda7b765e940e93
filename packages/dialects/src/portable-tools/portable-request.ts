import type {
  CompletionRequest,
  Message,
  ToolChoice,
  ToolDefinition,
} from '@tollgate/core/completion/request';
import type { Dialect } from '@tollgate/core/models/dialect';
import type { EncodeReport } from '../encode-report.ts';
import { getLabel } from '../json/get-label.ts';
import { asObject } from '../json/parse-object.ts';
import { portableMessages } from './portable-messages.ts';
import { getCustomTool } from './chat-custom.ts';
import { readItemTools, readTool } from './read-tools.ts';

/**
 * Rewrites what only the caller's dialect has, as far as it belongs to tools: tools that the client runs become functions,
 * and their calls and results those of functions. Tools that the caller's provider would run are dropped and listed, unless
 * the request forces one. What remains is refused by the encoder.
 * @param target the provider's dialect
 * @returns the request itself if nothing changes
 */
export function portableRequest(
  request: CompletionRequest,
  target: Dialect,
  report: EncodeReport,
): CompletionRequest {
  if (!hasForeign(request, target)) return request;
  const tools = new ToolList(request.tools);
  const kept = request.hostedTools.flatMap((tool): HostedTool[] => {
    if (tool.dialect === target) return [tool];
    const value =
      tool.dialect === 'openai-chat' && target === 'openai-responses' ? getCustomTool(tool) : null;
    if (value !== null) return [{ dialect: target, name: 'custom', value }];
    const [functions, hosted] = readTool(tool);
    for (const each of functions) tools.add(each);
    // Chat completions have a member for the search, and no tool.
    if (tool.name === 'web_search_options') report.drop(tool.name);
    else for (const name of hosted) tools.drop(name, report);
    return [];
  });
  for (const value of foreignItems(request.messages, target)) {
    const [functions, hosted] = readItemTools(value);
    for (const each of functions) tools.add(each);
    for (const name of hosted) tools.drop(name, report);
  }
  const isEmpty = tools.list.length === 0 && kept.length === 0;
  const { tool_choice: opaqueChoice, ...extra } = request.extra;
  const choice = chosen(request.toolChoice, target === 'openai-responses' ? undefined : opaqueChoice);
  const custom =
    choice?.type === 'tool' ? kept.find(({ value }) => value['name'] === choice.name) : undefined;
  if (custom === undefined && isForced(choice, tools, isEmpty))
    report.refuse(choice?.type === 'tool' ? 'tool_choice' : 'tools', 'the tool that the request forces');
  return {
    ...request,
    tools: tools.list,
    hostedTools: kept,
    toolChoice: isEmpty || custom !== undefined ? null : choice,
    parallelToolCalls: isEmpty ? null : request.parallelToolCalls,
    messages: portableMessages(request.messages, target, report),
    extra: {
      ...(target === 'openai-responses' ? request.extra : extra),
      ...(custom === undefined ? {} : { tool_choice: { type: 'custom', name: custom.value['name'] } }),
    },
  };
}

/** Dialects whose own tools and blocks are known here. */
const PORTABLE: ReadonlySet<string> = new Set(['openai-responses', 'anthropic-messages', 'openai-chat']);

function hasForeign({ hostedTools, messages, extra }: CompletionRequest, target: Dialect): boolean {
  const isForeign = (dialect: string) => dialect !== target && PORTABLE.has(dialect);
  return (
    hostedTools.some(({ dialect }) => isForeign(dialect)) ||
    (target !== 'openai-responses' && extra['tool_choice'] !== undefined) ||
    messages.some(({ content }) => content.some((part) => part.type === 'opaque' && isForeign(part.dialect)))
  );
}

function foreignItems(messages: readonly Message[], target: Dialect) {
  if (target === 'openai-responses') return [];
  return messages.flatMap(({ content }) =>
    content.flatMap((part) =>
      part.type === 'opaque' && part.dialect === 'openai-responses' ? [part.value] : [],
    ),
  );
}

type HostedTool = CompletionRequest['hostedTools'][number];

/** Tools of one request; no provider takes two of the same name. */
class ToolList {
  readonly #byName: Map<string, ToolDefinition>;
  readonly dropped = new Set<string>();

  constructor(tools: readonly ToolDefinition[]) {
    this.#byName = new Map(tools.map((tool) => [tool.name, tool]));
  }

  get list(): ToolDefinition[] {
    return [...this.#byName.values()];
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /** The first definition counts. */
  add(tool: ToolDefinition): void {
    if (!this.has(tool.name)) this.#byName.set(tool.name, tool);
  }

  drop(name: string, report: EncodeReport): void {
    this.dropped.add(name);
    report.drop(`tools.${name}`);
  }
}

/** @param opaque the choice of a tool that is no function: `{"type":"custom","name":"apply_patch"}` */
function chosen(choice: ToolChoice | null, opaque: unknown): ToolChoice | null {
  const given = asObject(opaque);
  if (given === null) return choice;
  const { type, name } = given;
  return { type: 'tool', name: getLabel(type === 'custom' ? name : type) };
}

function isForced(choice: ToolChoice | null, tools: ToolList, isEmpty: boolean): boolean {
  if (choice?.type === 'required') return isEmpty && tools.dropped.size > 0;
  return choice?.type === 'tool' && !tools.has(choice.name);
}
