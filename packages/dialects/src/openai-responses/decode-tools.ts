import type { HostedTool, ToolChoice, ToolDefinition } from '@tollgate/core/completion/request';
import type { FieldReader } from '../json/field-reader.ts';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { decodeCache } from '../openai-chat/decode-cache.ts';

export interface DecodedTools {
  tools: ToolDefinition[];
  hostedTools: HostedTool[];
  toolChoice: ToolChoice | null;
}

/** Reads `tools` and `tool_choice`. Tools that are no functions are the provider's own, or have no schema (`custom`). */
export function decodeTools(body: JsonObject, reader: FieldReader): DecodedTools {
  const found: DecodedTools = { tools: [], hostedTools: [], toolChoice: null };
  for (const { item, at } of reader.objects({ object: body, key: 'tools', at: '' })) {
    const type = reader.requiredString({ object: item, key: 'type', at });
    if (type === 'function') found.tools.push(decodeFunction(item, at, reader));
    else found.hostedTools.push({ dialect: 'openai-responses', name: type, value: item });
  }
  return decodeChoice(body['tool_choice'] ?? null, found, reader);
}

function decodeFunction(item: JsonObject, at: string, reader: FieldReader): ToolDefinition {
  return {
    name: reader.requiredString({ object: item, key: 'name', at }),
    description: reader.string({ object: item, key: 'description', at }),
    parameters: reader.object({ object: item, key: 'parameters', at }),
    strict: reader.boolean({ object: item, key: 'strict', at }),
    cache: decodeCache(item),
  };
}

function decodeChoice(given: unknown, found: DecodedTools, reader: FieldReader): DecodedTools {
  if (given === null) return found;
  if (given === 'auto' || given === 'none' || given === 'required')
    return { ...found, toolChoice: { type: given } };
  const choice = asObject(given);
  if (choice === null || typeof choice['type'] !== 'string') {
    reader.refuse('tool_choice', 'must be none, auto, required, or an object with a type');
    return found;
  }
  if (choice['type'] === 'allowed_tools') return decodeAllowed(choice, found, reader);
  // The choice of a tool that is no function stays as it is: see `isOpaqueChoice`.
  if (choice['type'] !== 'function') return found;
  const name = reader.requiredString({ object: choice, key: 'name', at: 'tool_choice.' });
  return { ...found, toolChoice: { type: 'tool', name } };
}

/** True for a choice that only this dialect can make: of a hosted tool, an MCP server, a custom tool. */
export function isOpaqueChoice(given: unknown): boolean {
  const type = asObject(given)?.['type'];
  return typeof type === 'string' && type !== 'function' && type !== 'allowed_tools';
}

/** Allowed tools become the only tools: the others would only be there for the prompt cache. */
function decodeAllowed(choice: JsonObject, found: DecodedTools, reader: FieldReader): DecodedTools {
  const at = 'tool_choice.';
  const mode = reader.oneOf({ object: choice, key: 'mode', at }, ['auto', 'required'] as const);
  const allowed = reader.objects({ object: choice, key: 'tools', at }).map(({ item }) => item);
  const isAllowed = (type: unknown, name: unknown, label: unknown) =>
    allowed.some(
      (tool) =>
        tool['type'] === type && (tool['name'] ?? name) === name && (tool['server_label'] ?? label) === label,
    );
  return {
    toolChoice: { type: mode ?? 'auto' },
    tools: found.tools.filter(({ name }) => isAllowed('function', name, undefined)),
    hostedTools: found.hostedTools.filter(({ name, value }) =>
      isAllowed(name, value['name'], value['server_label']),
    ),
  };
}
