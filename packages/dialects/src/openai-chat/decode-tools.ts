import type { HostedTool, ToolChoice, ToolDefinition } from '@tollgate/core/completion/request';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { decodeCache } from './decode-cache.ts';
import type { FieldReader } from '../json/field-reader.ts';

export interface DecodedTools {
  tools: ToolDefinition[];
  hostedTools: HostedTool[];
  toolChoice: ToolChoice | null;
}

/** Reads `tools` and `tool_choice`, and `functions` and `function_call`, which were there before them. */
export function decodeTools(body: JsonObject, reader: FieldReader): DecodedTools {
  const found: DecodedTools = { tools: [], hostedTools: [], toolChoice: null };
  for (const { item, at } of reader.objects({ object: body, key: 'tools', at: '' })) {
    const type = reader.string({ object: item, key: 'type', at }) ?? 'function';
    if (type === 'function') {
      const definition = reader.requiredObject({ object: item, key: 'function', at });
      const tool = decodeFunction(definition, `${at}function.`, reader);
      found.tools.push({ ...tool, cache: decodeCache(item) });
    } else found.hostedTools.push({ dialect: 'openai-chat', name: type, value: item });
  }
  for (const { item, at } of reader.objects({ object: body, key: 'functions', at: '' }))
    found.tools.push(decodeFunction(item, at, reader));
  const search = reader.object({ object: body, key: 'web_search_options', at: '' });
  if (search !== null)
    found.hostedTools.push({ dialect: 'openai-chat', name: 'web_search_options', value: search });
  return { ...found, ...decodeChoice(body, found.tools, reader) };
}

function decodeFunction(definition: JsonObject, at: string, reader: FieldReader): ToolDefinition {
  return {
    name: reader.requiredString({ object: definition, key: 'name', at }),
    description: reader.string({ object: definition, key: 'description', at }),
    parameters: reader.object({ object: definition, key: 'parameters', at }),
    strict: reader.boolean({ object: definition, key: 'strict', at }),
    cache: null,
  };
}

/** @returns the choice, and the tools that it leaves to choose from (`allowed_tools`) */
function decodeChoice(
  body: JsonObject,
  tools: ToolDefinition[],
  reader: FieldReader,
): { toolChoice: ToolChoice | null; tools: ToolDefinition[] } {
  const key = (body['tool_choice'] ?? null) === null ? 'function_call' : 'tool_choice';
  const given = body[key] ?? null;
  if (given === null) return { toolChoice: null, tools };
  if (given === 'auto' || given === 'none' || given === 'required')
    return { toolChoice: { type: given }, tools };
  // Mistral's word for it.
  if (given === 'any') return { toolChoice: { type: 'required' }, tools };
  const choice = asObject(given);
  const allowed = choice?.['type'] === 'allowed_tools' ? choice['allowed_tools'] : undefined;
  if (choice !== null && allowed !== undefined) return decodeAllowed(choice, tools, reader);
  const named = key === 'function_call' ? choice : asObject(choice?.['function'] ?? choice?.['custom']);
  if (choice === null || named === null) {
    reader.refuse(key, 'must be none, auto, required, or an object that names a function');
    return { toolChoice: null, tools };
  }
  const at = key === 'function_call' ? 'function_call.' : 'tool_choice.function.';
  const name = reader.requiredString({ object: named, key: 'name', at });
  return { toolChoice: { type: 'tool', name }, tools };
}

/** Allowed tools become the only tools: the others would only be there for the prompt cache. */
function decodeAllowed(choice: JsonObject, tools: ToolDefinition[], reader: FieldReader) {
  const allowed = reader.requiredObject({ object: choice, key: 'allowed_tools', at: 'tool_choice.' });
  const at = 'tool_choice.allowed_tools.';
  const mode = reader.oneOf({ object: allowed, key: 'mode', at }, ['auto', 'required'] as const);
  const names = new Set(
    reader
      .objects({ object: allowed, key: 'tools', at })
      .map(({ item }) => asObject(item['function'])?.['name'] ?? item['name']),
  );
  return {
    toolChoice: mode === null ? null : { type: mode },
    tools: tools.filter((tool) => names.has(tool.name)),
  };
}
