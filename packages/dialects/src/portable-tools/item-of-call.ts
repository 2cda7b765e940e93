import type { ToolCallPart } from '@tollgate/core/completion/content';
import { asObject, parseJsonObject, type JsonObject } from '../json/parse-object.ts';
import { inputOf } from './chat-custom.ts';
import { textOf } from './text-of.ts';
import type { ClientTool } from './responses-tools.ts';

interface ItemHead {
  id: string;
  status: 'in_progress' | 'completed' | 'incomplete';
}

/**
 * Writes a call of a function as the item of the tool that it stands for, the opposite of `call-of-item.ts`.
 * @returns null for a call of a plain function
 */
export function itemOfCall(
  tool: Pick<ClientTool, 'kind' | 'namespace' | 'name'>,
  call: Pick<ToolCallPart, 'id' | 'arguments'>,
  { id, status }: ItemHead,
): JsonObject | null {
  const callId = { call_id: call.id };
  const namespace = tool.namespace === null ? {} : { namespace: tool.namespace };
  switch (tool.kind) {
    case 'function':
      return null;
    case 'custom': {
      const { name } = tool;
      return { id, type: 'custom_tool_call', status, ...callId, ...namespace, name, input: inputOf(call) };
    }
    case 'local_shell':
      return { id, type: 'local_shell_call', status, ...callId, action: execOf(argumentsOf(call)) };
    case 'shell':
      return {
        id,
        type: 'shell_call',
        status,
        ...callId,
        action: { timeout_ms: null, max_output_length: null, ...shellOf(argumentsOf(call)) },
        environment: { type: 'local' },
      };
    case 'apply_patch':
      return { id, type: 'apply_patch_call', status, ...callId, operation: operationOf(argumentsOf(call)) };
    case 'tool_search':
      return {
        id,
        type: 'tool_search_call',
        status,
        ...callId,
        execution: 'client',
        arguments: argumentsOf(call),
      };
  }
}

function argumentsOf(call: Pick<ToolCallPart, 'arguments'>): JsonObject {
  return parseJsonObject(call.arguments) ?? {};
}

function execOf({ command, env, ...rest }: JsonObject): JsonObject {
  return { type: 'exec', command: commandOf(command), env: asObject(env) ?? {}, ...rest };
}

/** Some models write one line in place of the list that the schema requires. */
function commandOf(command: unknown): unknown[] {
  if (Array.isArray(command)) return command;
  return typeof command === 'string' ? ['bash', '-lc', command] : [];
}

function shellOf({ commands, ...rest }: JsonObject): JsonObject {
  return { ...rest, commands: Array.isArray(commands) ? commands : [commands].filter(isText) };
}

const isText = (value: unknown) => typeof value === 'string';

function operationOf({ type, path, diff }: JsonObject): JsonObject {
  const target = { type: textOf(type, 'update_file'), path: textOf(path) };
  return target.type === 'delete_file' ? target : { ...target, diff: textOf(diff) };
}
