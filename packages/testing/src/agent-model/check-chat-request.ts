import { findRequestViolation } from '../conformance/find-request-violation.ts';
import { asObject } from '../fake-provider/parse-completion-request.ts';
import type { ReasoningStyle } from './agent-script.ts';
import { findChatHistoryViolations } from './check-chat-history.ts';
import { withoutOwnMembers } from './chat-reasoning.ts';
import { asList } from './read-chat-request.ts';
import { findSchemaViolations, refuse } from './refusal.ts';
import type { Refusal } from './seen-conversation.ts';

type Body = Record<string, unknown>;

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_STOPS = 4;

/** The first error of a chat completion provider for a request; null: none. */
export function checkChatRequest(body: Body, style: ReasoningStyle): Refusal | null {
  const [refusal] = findViolations(body, style).take(1);
  return refusal ?? null;
}

function* findViolations(body: Body, style: ReasoningStyle): Generator<Refusal> {
  const violation = findRequestViolation('chatCompletionRequest', withoutOwnMembers(body, style));
  if (violation !== null) yield shapeRefusal(violation);
  yield* findSettingViolations(body);
  yield* findToolViolations(body);
  yield* findFormatViolations(body);
  yield* findChatHistoryViolations(body, style);
}

function shapeRefusal({ path, kind, message }: { path: string; kind: string; message: string }): Refusal {
  const param = path.replaceAll(/\.(\d+)/g, '[$1]');
  switch (kind) {
    case 'unknown':
      return { message: `Unknown parameter: '${param}'.`, param, code: 'unknown_parameter' };
    case 'missing':
      return {
        message: `Missing required parameter: '${param}'.`,
        param,
        code: 'missing_required_parameter',
      };
    default:
      return { message: `Invalid type for '${param}': ${message}.`, param, code: 'invalid_type' };
  }
}

function* findSettingViolations(body: Body): Generator<Refusal> {
  if (body['stream_options'] !== undefined && body['stream'] !== true)
    yield refuse(
      'stream_options',
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
    );
  if (body['max_tokens'] !== undefined && body['max_completion_tokens'] !== undefined)
    yield refuse(
      'max_tokens',
      "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
    );
  if (asList(body['stop']).length > MAX_STOPS)
    yield refuse(
      'stop',
      `Invalid 'stop': array too long. Expected an array with maximum length ${MAX_STOPS}.`,
      'array_above_max_length',
    );
}

function* findToolViolations(body: Body): Generator<Refusal> {
  const tools = asList(body['tools']);
  if (body['tools'] !== undefined && tools.length === 0)
    yield refuse(
      'tools',
      "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.",
      'empty_array',
    );
  for (const name of ['tool_choice', 'parallel_tool_calls'])
    if (tools.length === 0 && body[name] !== undefined)
      yield refuse(
        name,
        `Invalid value for '${name}': '${name}' is only allowed when 'tools' are specified.`,
      );
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    const called = asObject(asObject(tool)['function']);
    const name = String(called['name']);
    names.add(name);
    if (!TOOL_NAME.test(name))
      yield refuse(
        `tools[${index}].function.name`,
        `Invalid 'tools[${index}].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
        'invalid_value',
      );
    const parameters = asObject(called['parameters']);
    if (called['parameters'] !== undefined && parameters['type'] !== 'object')
      yield refuse(
        `tools[${index}].function.parameters`,
        `Invalid schema for function '${name}': schema must be a JSON Schema of 'type: "object"', got 'type: "${String(parameters['type'])}"'.`,
        'invalid_function_parameters',
      );
    if (called['strict'] === true)
      yield* findSchemaViolations(parameters, `tools[${index}].function.parameters`, `function '${name}'`);
  }
  const wanted = asObject(asObject(body['tool_choice'])['function'])['name'];
  if (typeof wanted === 'string' && !names.has(wanted))
    yield refuse(
      'tool_choice',
      `Invalid value for 'tool_choice': no function named '${wanted}' was specified in the 'tools' parameter.`,
    );
}

function* findFormatViolations(body: Body): Generator<Refusal> {
  const format = asObject(body['response_format']);
  if (format['type'] === 'json_object' && !/json/i.test(JSON.stringify(body['messages'])))
    yield refuse(
      'messages',
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
    );
  if (format['type'] !== 'json_schema') return;
  const { name, schema, strict } = { name: '', schema: {}, strict: null, ...asObject(format['json_schema']) };
  if (!TOOL_NAME.test(name))
    yield refuse(
      'response_format.json_schema.name',
      "Invalid 'response_format.json_schema.name': string does not match pattern.",
      'invalid_value',
    );
  if (strict === true) yield* findSchemaViolations(schema, 'response_format', `response_format '${name}'`);
}
