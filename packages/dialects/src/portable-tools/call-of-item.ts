import type { ToolCallPart } from '@tollgate/core/completion/content';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { getFunctionName } from './function-name.ts';
import { getText } from './text-of.ts';

/**
 * Reads the item of a call that the client ran, as a call of the function that represents its tool.
 * @returns null for any other item
 */
export function callOfItem(item: JsonObject): ToolCallPart | null {
  const namespace = typeof item['namespace'] === 'string' ? item['namespace'] : null;
  const name = getText(item['name']);
  const call = (functionName: string, args: unknown): ToolCallPart => ({
    type: 'tool_call',
    id: getCallId(item),
    name: functionName,
    arguments: typeof args === 'string' ? args : JSON.stringify(args),
    cache: null,
  });
  switch (item['type']) {
    case 'function_call':
      return call(getFunctionName(namespace, name), item['arguments'] ?? '{}');
    case 'custom_tool_call':
      return call(getFunctionName(namespace, name), { input: item['input'] ?? '' });
    case 'local_shell_call': {
      const { type: _, ...action } = asObject(item['action']) ?? {};
      return call('local_shell', withoutNull(action));
    }
    case 'shell_call':
      if (!isLocal(item)) return null;
      return call('shell', withoutNull(asObject(item['action']) ?? {}));
    case 'apply_patch_call':
      return call('apply_patch', withoutNull(asObject(item['operation']) ?? {}));
    case 'tool_search_call':
      return item['execution'] === 'client' ? call('tool_search', item['arguments'] ?? {}) : null;
    default:
      return null;
  }
}

/** A shell without an environment is the client's, since callers send back what they ran. */
function isLocal({ environment }: JsonObject): boolean {
  return (asObject(environment)?.['type'] ?? 'local') === 'local';
}

/** The id of a call; of a result, the id of the call that it belongs to. */
export function getCallId(item: JsonObject): string {
  // The result of a local shell names its call in `id`.
  const id = item['call_id'] ?? item['id'];
  return typeof id === 'string' ? id : '';
}

function withoutNull(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}
