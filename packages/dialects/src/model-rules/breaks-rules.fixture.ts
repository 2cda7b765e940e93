import type { Dialect } from '@tollgate/core/models/dialect';
import { asObject, type JsonObject } from '../json/parse-object.ts';

/**
 * Reasons why a provider refuses a body, written from its errors and not from the table of rules. Each is checked for the models
 * of which it is documented.
 */
export function listRefusals(dialect: Dialect, body: JsonObject): string[] {
  const model = String(body['model']);
  switch (dialect) {
    case 'openai-chat':
      return [...listChatRefusals(model, body)];
    case 'openai-responses':
      return [...listResponsesRefusals(model, body)];
    case 'anthropic-messages':
      return [...listMessagesRefusals(model, body)];
  }
}

/** Models of each family, with what its documentation says. */
export const OPENAI_MODELS: Readonly<Record<string, { efforts: string; most: number }>> = {
  'gpt-4.1': { efforts: '', most: 32_768 },
  'gpt-4o': { efforts: '', most: 16_384 },
  'gpt-5-chat-latest': { efforts: '', most: 16_384 },
  o3: { efforts: 'low medium high', most: 100_000 },
  'gpt-5': { efforts: 'minimal low medium high', most: 128_000 },
  'gpt-5.1': { efforts: 'none low medium high', most: 128_000 },
  'gpt-5.2': { efforts: 'none low medium high xhigh', most: 128_000 },
  'gpt-5.4': { efforts: 'none low medium high xhigh', most: 128_000 },
  'gpt-5.5': { efforts: 'none low medium high xhigh', most: 128_000 },
  'gpt-5.6-terra': { efforts: 'none low medium high xhigh max', most: 128_000 },
  'gpt-6.1-sol': { efforts: 'low medium high xhigh max', most: 128_000 },
};
const DEFAULTS_TO_NONE = new Set(['gpt-5.1', 'gpt-5.2', 'gpt-5.4']);
/** Verbosity came with GPT-5. */
const KNOWS_ONE_VERBOSITY = new Set(['gpt-4.1', 'gpt-4o', 'gpt-5-chat-latest', 'o3']);
const KNOWS_NO_TOOLS_WITH_EFFORT = new Set(['gpt-5.4', 'gpt-5.5', 'gpt-5.6-terra']);

function* listVerbosityRefusals(model: string, value: unknown): Generator<string> {
  if (KNOWS_ONE_VERBOSITY.has(model) && given(value) && value !== 'medium')
    yield `'verbosity' does not support ${String(value)}. Supported values are: 'medium'.`;
}

const given = (value: unknown): boolean => value !== undefined && value !== null;

function* listChatRefusals(model: string, body: JsonObject): Generator<string> {
  const { efforts = '', most = Infinity } = OPENAI_MODELS[model] ?? {};
  const effort = body['reasoning_effort'];
  for (const name of ['max_tokens', 'max_completion_tokens'])
    if (Number(body[name] ?? 0) > most) yield `${name} is too large`;
  yield* listVerbosityRefusals(model, body['verbosity']);
  if (efforts === '') {
    if (given(effort)) yield 'Unrecognized request argument supplied: reasoning_effort';
    return;
  }
  if (given(effort) && (!efforts.split(' ').includes(String(effort)) || effort === 'max'))
    yield `reasoning_effort does not support ${String(effort)}`;
  if ('max_tokens' in body) yield "Use 'max_completion_tokens' instead";
  if (given(body['stop'])) yield "'stop' is not supported";
  const thinks = model === 'o3' || (effort ?? (DEFAULTS_TO_NONE.has(model) ? 'none' : 'medium')) !== 'none';
  for (const name of ['temperature', 'top_p'])
    if (thinks && given(body[name]) && body[name] !== 1) yield `'${name}' does not support this value`;
  for (const name of ['logprobs', 'top_logprobs'])
    if (thinks && body[name]) yield `'${name}' is not supported`;
  for (const name of ['presence_penalty', 'frequency_penalty'])
    if (body[name]) yield `'${name}' is not supported`;
  const hasTools = Array.isArray(body['tools']) && body['tools'].length > 0;
  if (KNOWS_NO_TOOLS_WITH_EFFORT.has(model) && hasTools && thinks)
    yield 'Function tools with reasoning_effort are not supported';
}

function* listResponsesRefusals(model: string, body: JsonObject): Generator<string> {
  const { efforts = '', most = Infinity } = OPENAI_MODELS[model] ?? {};
  const effort = asObject(body['reasoning'])?.['effort'];
  const include = Array.isArray(body['include']) ? body['include'] : [];
  if (Number(body['max_output_tokens'] ?? 0) > most) yield 'max_output_tokens is too large';
  yield* listVerbosityRefusals(model, asObject(body['text'])?.['verbosity']);
  if (efforts === '') {
    if (given(effort)) yield "'reasoning.effort' is not supported";
    if (include.includes('reasoning.encrypted_content')) yield 'Encrypted content is not supported';
    return;
  }
  if (!include.includes('reasoning.encrypted_content')) yield "Item 'rs_1' not found in the next turn";
  if (given(effort) && !efforts.split(' ').includes(String(effort)))
    yield `reasoning.effort does not support ${String(effort)}`;
  const thinks = (effort ?? (DEFAULTS_TO_NONE.has(model) ? 'none' : 'medium')) !== 'none';
  for (const name of ['temperature', 'top_p', 'top_logprobs'])
    if (thinks && given(body[name])) yield `'${name}' is not supported`;
  if (thinks && include.includes('message.output_text.logprobs'))
    yield 'logprobs are not supported with reasoning models.';
}

export const CLAUDE_MODELS: readonly string[] = [
  'claude-haiku-4-5',
  'claude-opus-4-1',
  'claude-opus-4-5',
  'claude-sonnet-4-6',
  'claude-opus-4-8',
  'claude-opus-5',
  'claude-sonnet-5',
  'claude-haiku-5-5',
  'claude-opus-5-5',
  'claude-sonnet-5-5',
  'claude-fable-5',
  'claude-fable-5-1',
];
const MOST: Readonly<Record<string, number>> = {
  'claude-haiku-4-5': 64_000,
  'claude-opus-4-1': 32_000,
  'claude-opus-4-5': 64_000,
  'claude-sonnet-4-6': 64_000,
};

function* listMessagesRefusals(model: string, body: JsonObject): Generator<string> {
  const isOld = /-4-[156]$/.test(model);
  const thinking = asObject(body['thinking']);
  const type = thinking?.['type'];
  const effort = asObject(body['output_config'])?.['effort'];
  const { temperature, top_p: topP, top_k: topK } = body;
  const isForced = ['any', 'tool'].includes(String(asObject(body['tool_choice'])?.['type']));
  const isActive = type === 'enabled' || type === 'adaptive';
  if (Number(body['max_tokens']) > (MOST[model] ?? 128_000)) yield 'max_tokens is above the maximum';
  if (!isOld)
    for (const name of ['temperature', 'top_p', 'top_k'])
      if (given(body[name])) yield `${name} is deprecated`;
  if (given(temperature) && given(topP)) yield 'temperature and top_p cannot both be specified';
  if (!isOld && type === 'enabled') yield '"thinking.type.enabled" is not supported';
  if (isOld && !model.endsWith('-4-6') && type === 'adaptive') yield 'adaptive thinking is not supported';
  const isAlways = /(?:opus|sonnet)-5-5$|fable/.test(model);
  if (isAlways && type === 'disabled') yield '"thinking.type.disabled" is not supported';
  if (/opus-5$|haiku-5-5$/.test(model) && type === 'disabled' && (effort === 'xhigh' || effort === 'max'))
    yield 'thinking cannot be disabled at this effort';
  if (type === 'between_tools' && model !== 'claude-sonnet-5-5') yield 'between_tools is not supported';
  if (isForced && isActive) yield 'Thinking may not be enabled when tool_choice forces tool use';
  if (isForced && /(?:opus|sonnet)-5-5$|fable-5-1$/.test(model)) yield 'forced tool use is not supported';
  if (isActive && given(temperature) && temperature !== 1) yield 'temperature may only be set to 1';
  if (isActive && given(topK)) yield 'top_k must be unset';
  if (/haiku-4-5$|opus-4-1$/.test(model) && given(effort)) yield 'effort is not supported';
  if (effort === 'xhigh' && isOld) yield 'effort xhigh is not supported';
  if (effort === 'max' && /-4-[15]$/.test(model)) yield 'effort max is not supported';
  if (effort === 'none' || effort === 'minimal') yield 'effort is unknown';
}
