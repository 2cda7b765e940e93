import type { IncomingHttpHeaders } from 'node:http';
import { findRequestViolation } from '../conformance/find-request-violation.ts';
import { asObject } from '../fake-provider/parse-completion-request.ts';
import { findMessagesHistoryViolations } from './check-messages-history.ts';
import { findOpenObject } from './closed-schema.ts';
import type { Refusal } from './seen-conversation.ts';

type Body = Record<string, unknown>;

const MIN_BUDGET = 1024;
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;
/** Since Claude 4.7, models choose their thinking and refuse sampling parameters. */
const TAKES_NO_BUDGET = /claude-[a-z]+-(?:4-[7-9]|[5-9])/;

/** The first error of the Messages API for a request; null: none. */
export function checkMessagesRequest(body: Body, headers: IncomingHttpHeaders): Refusal | null {
  const [message] = findViolations(body, headers).take(1);
  return message === undefined ? null : { message, param: null, code: null };
}

function* findViolations(body: Body, headers: IncomingHttpHeaders): Generator<string> {
  if (headers['anthropic-version'] === undefined) yield 'anthropic-version: header is required';
  const kind = headers['anthropic-beta'] === undefined ? 'messageRequest' : 'betaMessageRequest';
  // LlamaIndex sends null to Anthropic, which takes it.
  const { tool_choice: choice, ...others } = body;
  const violation = findRequestViolation(kind, choice === null ? others : body);
  if (violation !== null) yield `${violation.path}: ${wordsFor(violation)}`;
  yield* findThinkingViolations(body);
  yield* findSamplingViolations(body);
  yield* findToolViolations(body);
  yield* findBreakpointViolations(body);
  const format = asObject(asObject(body['output_config'])['format']);
  if (format['type'] === 'json_schema' && findOpenObject(format['schema'], false) !== null)
    yield "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false";
  const stops: unknown[] = Array.isArray(body['stop_sequences']) ? body['stop_sequences'] : [];
  if (stops.some((stop) => String(stop).trim() === ''))
    yield 'stop_sequences: each stop sequence must contain non-whitespace';
  yield* findMessagesHistoryViolations(body);
}

function wordsFor({ kind, message }: { kind: 'missing' | 'unknown' | 'wrong'; message: string }): string {
  if (kind === 'missing') return 'Field required';
  return kind === 'unknown' ? 'Extra inputs are not permitted' : `Input ${message}`;
}

function* findThinkingViolations(body: Body): Generator<string> {
  const { type, budget_tokens: budget } = { type: null, budget_tokens: null, ...asObject(body['thinking']) };
  if (type === 'enabled') {
    if (TAKES_NO_BUDGET.test(String(body['model'])))
      yield '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.';
    if (Number(budget) < MIN_BUDGET)
      yield `thinking.enabled.budget_tokens: Input should be greater than or equal to ${MIN_BUDGET}`;
    if (Number(budget) >= Number(body['max_tokens']))
      yield '`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#max-tokens-and-context-window-size';
  }
  if (type !== 'enabled' && type !== 'adaptive') return;
  const choice = asObject(body['tool_choice'])['type'];
  if (choice === 'any' || choice === 'tool')
    yield 'Thinking may not be enabled when tool_choice forces tool use.';
  if ((body['temperature'] ?? 1) !== 1)
    yield '`temperature` may only be set to 1 when thinking is enabled. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#important-considerations-when-using-extended-thinking';
  if (body['top_k'] !== undefined) yield '`top_k` must be unset when thinking is enabled.';
}

function* findSamplingViolations(body: Body): Generator<string> {
  const temperature = body['temperature'];
  const topP = body['top_p'];
  if (TAKES_NO_BUDGET.test(String(body['model'])))
    for (const name of ['temperature', 'top_p', 'top_k'])
      if (name in body) yield `\`${name}\` is not supported for this model.`;
  if (temperature !== undefined && topP !== undefined)
    yield '`temperature` and `top_p` cannot both be specified for this model. Please use only one.';
  if (Number(temperature) > 1) yield 'temperature: range: 0..1';
  if (Number(body['max_tokens']) < 1) yield 'max_tokens: must be greater than or equal to 1';
}

function* findToolViolations(body: Body): Generator<string> {
  const tools: unknown[] = Array.isArray(body['tools']) ? body['tools'] : [];
  if (tools.length === 0 && body['tool_choice'] !== undefined)
    yield 'tool_choice: may only be specified while providing tools';
  const names = new Set<string>();
  for (const [index, given] of tools.entries()) {
    const tool = asObject(given);
    const name = String(tool['name']);
    if (!TOOL_NAME.test(name))
      yield `tools.${index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`;
    if (names.has(name)) yield 'tools: Tool names must be unique.';
    names.add(name);
    const schema = asObject(tool['input_schema']);
    for (const keyword of ['oneOf', 'allOf', 'anyOf'])
      if (keyword in schema)
        yield `tools.${index}.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`;
    if (tool['strict'] === true && findOpenObject(schema, false) !== null)
      yield `tools.${index}.custom.input_schema: For 'object' type, 'additionalProperties' must be explicitly set to false`;
  }
  const wanted = asObject(body['tool_choice'])['name'];
  if (typeof wanted === 'string' && !names.has(wanted))
    yield `tool_choice: Tool '${wanted}' not found in provided tools`;
}

const MAX_BREAKPOINTS = 4;

/** https://platform.claude.com/docs/en/build-with-claude/prompt-caching */
function* findBreakpointViolations({ tools, system, messages, ...rest }: Body): Generator<string> {
  const marks = [tools, system, messages, { cache_control: rest['cache_control'] }].flatMap(listLifetimes);
  if (marks.length > MAX_BREAKPOINTS)
    yield `A maximum of ${MAX_BREAKPOINTS} blocks with cache_control may be provided. Found ${marks.length}.`;
  if (marks.lastIndexOf('1h') > marks.indexOf('5m') && marks.includes('5m'))
    yield "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block.";
}

function listLifetimes(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(listLifetimes);
  const { cache_control: control, content } = asObject(value);
  const { type, ttl } = asObject(control);
  return [...listLifetimes(content ?? []), ...(type === undefined ? [] : [ttl === '1h' ? ttl : '5m'])];
}
