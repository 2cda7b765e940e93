import { findRequestViolation } from '../conformance/find-request-violation.ts';
import { asObject } from '../fake-provider/parse-completion-request.ts';
import { findResponsesHistoryViolations } from './check-responses-history.ts';
import { asList } from './read-chat-request.ts';
import { findSchemaViolations, refuse } from './refusal.ts';
import type { Refusal } from './seen-conversation.ts';

type Body = Record<string, unknown>;

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const MIN_OUTPUT_TOKENS = 16;
/** Tools with a name that the client chooses. */
const NAMED_TOOLS = new Set<unknown>(['function', 'custom', 'namespace']);

/** The first error of the Responses API for a request; null: none. */
export function checkResponsesRequest(body: Body): Refusal | null {
  const [refusal] = findViolations(body).take(1);
  return refusal ?? null;
}

function* findViolations(body: Body): Generator<Refusal> {
  const violation = findRequestViolation('responseRequest', withoutUndocumented(body));
  if (violation !== null) {
    const param = violation.path.replaceAll(/\.(\d+)/g, '[$1]');
    yield refuse(param, `Invalid value for '${param}': ${violation.message}.`, `${violation.kind}_parameter`);
  }
  if (Number(body['max_output_tokens'] ?? Infinity) < MIN_OUTPUT_TOKENS)
    yield refuse(
      'max_output_tokens',
      `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= ${MIN_OUTPUT_TOKENS}.`,
      'integer_below_min_value',
    );
  yield* findToolViolations(body);
  const format = asObject(asObject(body['text'])['format']);
  if (format['type'] === 'json_schema' && format['strict'] === true)
    yield* findSchemaViolations(
      format['schema'],
      'text.format.schema',
      `response_format '${String(format['name'])}'`,
    );
  yield* findResponsesHistoryViolations(body);
}

/** Without what OpenAI accepts and the SDK's types do not allow: Codex sends it, and many clients leave out the id of an answer. */
function withoutUndocumented(body: Body): Body {
  const { client_metadata: _metadata, user, ...others } = body;
  const rest: Body = user === null ? others : { ...others, ...(user !== undefined && { user }) };
  const tools = asList(rest['tools']).map((given) => {
    const { search_content_types: _types, ...tool } = asObject(given);
    return tool['type'] === 'function' ? { strict: null, ...tool } : tool;
  });
  return {
    ...rest,
    ...(Array.isArray(rest['tools']) && { tools }),
    ...(Array.isArray(rest['input']) && { input: rest['input'].map(asObject).map(asDocumented) }),
  };
}

function asDocumented(item: Body): Body {
  const { id, content, ...others } = item;
  if (item['type'] === 'reasoning' && content === null) return { id, ...others };
  if (item['type'] === 'custom_tool_call') {
    const { status: _status, ...call } = item;
    return call;
  }
  if (item['role'] === 'assistant' && Array.isArray(content))
    return { type: 'message', status: 'completed', id: 'msg_1', ...item };
  return item['role'] === undefined ? item : { ...others, content };
}

function* findToolViolations(body: Body): Generator<Refusal> {
  const names = new Set<unknown>();
  for (const [index, given] of asList(body['tools']).entries()) {
    const tool = asObject(given);
    const { name } = tool;
    if (!NAMED_TOOLS.has(tool['type'])) continue;
    if (!TOOL_NAME.test(String(name)))
      yield refuse(
        `tools[${index}].name`,
        `Invalid 'tools[${index}].name': string does not match pattern.`,
        'invalid_value',
      );
    if (names.has(name)) yield refuse('tools', `Duplicate tool name: '${String(name)}'.`);
    names.add(name);
    if (tool['strict'] === true)
      yield* findSchemaViolations(
        tool['parameters'],
        `tools[${index}].parameters`,
        `function '${String(name)}'`,
      );
  }
  const choice = asObject(body['tool_choice']);
  if (typeof choice['name'] === 'string' && !names.has(choice['name']))
    yield refuse('tool_choice', `Tool choice '${choice['name']}' not found in 'tools' parameter.`);
  if (body['tool_choice'] === 'required' && asList(body['tools']).length === 0)
    yield refuse('tool_choice', "Tool choice 'required' must be specified with 'tools' parameter.");
}
