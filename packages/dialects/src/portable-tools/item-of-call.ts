import type { ToolCallPart } from '@tollgate/core/completion/content';
import { asObject, parseJsonObject, type JsonObject } from '../json/parse-object.ts';
import { getInput } from './chat-custom.ts';
import { getText } from './text-of.ts';
import type { ClientTool } from './responses-tools.ts';

interface ItemHead {
  id: string;
  status: 'in_progress' | 'completed' | 'incomplete';
}

/**
 * Writes a call of a function as the item of the tool that it represents, the opposite of `call-of-item.ts`.
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
      return { id, type: 'custom_tool_call', status, ...callId, ...namespace, name, input: getInput(call) };
    }
    case 'local_shell':
      return { id, type: 'local_shell_call', status, ...callId, action: getExec(getArguments(call)) };
    case 'shell':
      return {
        id,
        type: 'shell_call',
        status,
        ...callId,
        action: { timeout_ms: null, max_output_length: null, ...getShell(getArguments(call)) },
        environment: { type: 'local' },
      };
    case 'apply_patch':
      return { id, type: 'apply_patch_call', status, ...callId, operation: getOperation(getArguments(call)) };
    case 'tool_search':
      return {
        id,
        type: 'tool_search_call',
        status,
        ...callId,
        execution: 'client',
        arguments: getArguments(call),
      };
  }
}

function getArguments(call: Pick<ToolCallPart, 'arguments'>): JsonObject {
  return parseJsonObject(call.arguments) ?? {};
}

function getExec({ command, env, ...rest }: JsonObject): JsonObject {
  return { type: 'exec', command: getCommand(command), env: asObject(env) ?? {}, ...rest };
}

/** Some models write one line in place of the list that the schema requires. */
function getCommand(command: unknown): unknown[] {
  if (Array.isArray(command)) return command;
  return typeof command === 'string' ? ['bash', '-lc', command] : [];
}

function getShell({ commands, ...rest }: JsonObject): JsonObject {
  return { ...rest, commands: Array.isArray(commands) ? commands : [commands].filter(isText) };
}

const isText = (value: unknown) => typeof value === 'string';

function getOperation({ type, path, diff }: JsonObject): JsonObject {
  const target = { type: getText(type, 'update_file'), path: getText(path) };
  return target.type === 'delete_file' ? target : { ...target, diff: getText(diff) };
}
