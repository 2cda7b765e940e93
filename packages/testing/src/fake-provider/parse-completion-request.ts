/** The parsed fields of a request body; missing or malformed fields count as absent. */
export interface CompletionRequest {
  /** The whole body; empty if it is not a JSON object. */
  body: Record<string, unknown>;
  model: string | null;
  isStream: boolean;
  /** OpenAI: the client asked for the usage of a stream. */
  includesUsage: boolean;
  messages: unknown[];
  tools: OfferedTool[];
  /** The last message is a tool result. */
  endsWithToolResult: boolean;
}

interface OfferedTool {
  name: string;
  /** JSON Schema of the arguments. */
  schema: Record<string, unknown>;
}

export function parseCompletionRequest(body: Buffer): CompletionRequest {
  const json = parseObject(body);
  const messages = Array.isArray(json.messages) ? json.messages : [];
  const isRefused = json.tool_choice === 'none' || asObject(json.tool_choice).type === 'none';
  return {
    body: json,
    model: typeof json.model === 'string' ? json.model : null,
    isStream: json.stream === true,
    includesUsage: asObject(json.stream_options).include_usage === true,
    messages,
    tools: isRefused || !Array.isArray(json.tools) ? [] : json.tools.flatMap(parseTool),
    endsWithToolResult: isToolResult(asObject(messages.at(-1))),
  };
}

function parseObject(body: Buffer): Record<string, unknown> {
  try {
    return asObject(JSON.parse(body.toString('utf8')));
  } catch {
    return {};
  }
}

/** OpenAI nests tools under `function` with `parameters`, Anthropic uses `input_schema`. */
function parseTool(raw: unknown): OfferedTool[] {
  const tool = asObject(raw);
  const inner = tool.type === 'function' ? asObject(tool.function) : tool;
  if (typeof inner.name !== 'string') return [];
  return [{ name: inner.name, schema: asObject(inner.parameters ?? inner.input_schema) }];
}

function isToolResult(message: Record<string, unknown>): boolean {
  if (message.role === 'tool') return true;
  return (
    Array.isArray(message.content) &&
    message.content.some((part: unknown) => asObject(part).type === 'tool_result')
  );
}

/** The value if it is a record, else an empty record. */
export function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
