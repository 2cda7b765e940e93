import type { CompletionRequest } from '@tollgate/core/completion/request';
import { getLabel } from '../json/get-label.ts';
import { asObject, parseJson, type JsonObject } from '../json/parse-object.ts';

type HostedTool = CompletionRequest['hostedTools'][number];

/**
 * A custom tool of chat completions, as the Responses API declares it
 * (https://platform.openai.com/docs/guides/function-calling#custom-tools). Only members that it is known to have are copied:
 * the Responses API would read the others, such as `type`, as those of another tool.
 * @returns null for any other tool
 */
export function getCustomTool({ name, value }: HostedTool): JsonObject | null {
  const custom = name === 'custom' ? asObject(value['custom']) : null;
  if (custom === null) return null;
  const format = asObject(custom['format']);
  return {
    type: 'custom',
    ...pick(custom, ['name', 'description']),
    ...(format !== null && {
      format: {
        ...pick(format, ['type']),
        ...pick(asObject(format['grammar']) ?? {}, ['syntax', 'definition']),
      },
    }),
  };
}

/** The members that are text. */
function pick(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name) => (typeof object[name] === 'string' ? [[name, object[name]]] : [])),
  );
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** The names of the custom tools in a caller's chat completion, whose calls are answered as calls of custom tools. */
export function getCustomNames(body: JsonObject | undefined): ReadonlySet<string> {
  const tools: unknown[] = Array.isArray(body?.['tools']) ? body['tools'] : [];
  const names = tools.flatMap((tool) => {
    const name = asObject(asObject(tool)?.['custom'])?.['name'];
    return typeof name === 'string' ? [name] : [];
  });
  return names.length === 0 ? NO_NAMES : new Set(names);
}

/** Writes the calls of custom tools, and their results, as the Responses API has them. @param items of `input` */
export function toCustomCalls(items: readonly JsonObject[], tools: readonly HostedTool[]): JsonObject[] {
  const names = new Set(tools.filter(({ name }) => name === 'custom').map(({ value }) => value['name']));
  if (names.size === 0) return [...items];
  const calls = new Set<unknown>();
  return items.map((item) => {
    const { type, call_id: id, name } = item;
    if (type === 'function_call' && names.has(name)) {
      calls.add(id);
      const input = getInput({ arguments: getLabel(item['arguments']) });
      return { type: 'custom_tool_call', call_id: id, name, input };
    }
    return type === 'function_call_output' && calls.has(id)
      ? { ...item, type: 'custom_tool_call_output' }
      : item;
  });
}

/** The text of a custom call. Some models write it without the object around it. */
export function getInput({ arguments: text }: { arguments: string }): string {
  const value = parseJson(text);
  if (typeof value === 'string') return value;
  const input = asObject(value)?.['input'];
  return typeof input === 'string' ? input : text;
}
