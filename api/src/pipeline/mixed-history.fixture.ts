import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { Dialect } from '@tollgate/core/models/dialect';
import { getCodec } from '@tollgate/dialects/codec';
import { withHistory } from '@tollgate/dialects/history/fit-history';
import { JsonObjectBytes } from '@tollgate/dialects/json/edit-members';
import type { JsonObject } from '@tollgate/dialects/json/parse-object';
import { applyModelRules } from '@tollgate/dialects/model-rules/fit-model-rules';
import { applyProviderQuirks } from '@tollgate/dialects/openai-chat/quirks/apply-provider-quirks';
import { NO_QUIRKS } from '@tollgate/dialects/openai-chat/quirks/provider-quirks';
import type { ReasoningStyle } from '@tollgate/testing/agent-model/agent-script';
import { checkChatRequest } from '@tollgate/testing/agent-model/check-chat-request';
import { checkMessagesRequest } from '@tollgate/testing/agent-model/check-messages-request';
import { encodeChatAnswer } from '@tollgate/testing/agent-model/encode-chat-answer';
import { encodeMessagesAnswer } from '@tollgate/testing/agent-model/encode-messages-answer';
import type { AgentAnswer } from '@tollgate/testing/agent-model/plan-answer';
import { findHiddenReasoning, hideReasoning } from '@tollgate/testing/agent-model/reasoning-signature';
import { findPreset } from '@tollgate/upstreams/presets/presets';
import { decodeBody, encodeFor, type TranslationTarget } from './encode-for-provider.ts';
import { fitRelayedHistory } from './relayed-history.ts';

/** JSON whose members are not checked. */
type Json = ReturnType<typeof JSON.parse>;

/** A provider with a scripted model. */
export interface ScriptedProvider {
  dialect: Dialect;
  model: string;
  /** null: a custom server. */
  preset: string | null;
  style: ReasoningStyle;
  /** Writes the id of a call; the default is that of the dialect. */
  writeId?: (id: string) => string;
  /** Writes a signature that only this provider knows; it checks nothing. */
  writeSignature?: (text: string) => string;
}

export const PROVIDERS = {
  claude: { dialect: 'anthropic-messages', model: 'claude-sonnet-4-5', preset: 'anthropic', style: 'none' },
  adaptive: { dialect: 'anthropic-messages', model: 'claude-opus-4-8', preset: null, style: 'none' },
  minimax: {
    dialect: 'anthropic-messages',
    model: 'MiniMax-M2',
    preset: null,
    style: 'none',
    writeSignature: (given) => createHash('sha256').update(given).digest('hex'),
  },
  responses: { dialect: 'openai-responses', model: 'gpt-5.4', preset: 'openai', style: 'none' },
  chat: { dialect: 'openai-chat', model: 'gpt-4.1', preset: 'openai', style: 'none' },
  gemini: { dialect: 'openai-chat', model: 'gemini-3-flash', preset: 'gemini', style: 'gemini' },
  openrouter: { dialect: 'openai-chat', model: 'some/model', preset: 'openrouter', style: 'openrouter' },
  deepseek: { dialect: 'openai-chat', model: 'deepseek-chat', preset: 'deepseek', style: 'deepseek' },
  kimi: {
    dialect: 'openai-chat',
    model: 'kimi-k3',
    preset: null,
    style: 'none',
    writeId: (id) => `functions.mcp__weather_service__get_current_weather_of_a_city:${id}`,
  },
  vllm: {
    dialect: 'openai-chat',
    model: 'qwen',
    preset: null,
    style: 'none',
    writeId: (id) => `chatcmpl-tool-${id.padEnd(32, '0')}`,
  },
} satisfies Record<string, ScriptedProvider>;

/** What a model says in a turn. */
export interface ScriptedTurn {
  number: number;
  thinks: boolean;
  hides: boolean;
  calls: number;
}

const USAGE = {
  inputTokens: 1,
  outputTokens: 1,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  cacheWrite1hTokens: 0,
};

/** A provider's response, and its signatures. */
export function answerAs(
  provider: ScriptedProvider,
  { number, thinks, hides, calls }: ScriptedTurn,
): { body: JsonObject; signatures: string[] } {
  const ids = Array.from({ length: calls }, (_, index) => `c${number}x${index}`);
  const answer: AgentAnswer = {
    model: provider.model,
    thinks: thinks ? `Reasoning ${number}` : null,
    hides: hides ? `Hidden ${number}` : null,
    text: calls > 0 ? '' : `Answer ${number}`,
    calls: ids.map((id) => ({ id, name: 'weather', json: '{"city":"Oslo"}' })),
    finish: { type: calls > 0 ? 'calls' : 'end' },
    usage: USAGE,
    reasoningTokens: 0,
  };
  const body = writeAnswer(provider, answer, number);
  const text = JSON.stringify(body);
  const signatures = [
    ...text.matchAll(/"(?:signature|thought_signature|data|encrypted_content)":"([^"]+)"/g),
  ].map(([, found]) => found ?? '');
  return { body, signatures };
}

function writeAnswer(
  { dialect, style, writeId = (id) => `call_${id}`, writeSignature = (given) => given }: ScriptedProvider,
  answer: AgentAnswer,
  number: number,
): JsonObject {
  if (dialect === 'openai-responses') return writeResponse(answer, number);
  const chunks =
    dialect === 'anthropic-messages' ? encodeMessagesAnswer(answer) : encodeChatAnswer(answer, style);
  const text = Buffer.concat(chunks.map(({ bytes }) => bytes)).toString();
  const named = text.replaceAll(/"call_(c\d+x\d+)"/g, (_, id) => `"${writeId(id)}"`);
  return JSON.parse(named.replaceAll(/(?<="signature":")[^"]+/g, writeSignature));
}

/** @param number makes ids unique */
function writeResponse({ model, thinks, hides, text, calls }: AgentAnswer, number: number): JsonObject {
  const summary = thinks === null ? [] : [{ type: 'summary_text', text: thinks }];
  const id = `rs_own${number}`;
  const encrypted = hideReasoning(id, '0/1');
  const said = { type: 'output_text', text, annotations: [] };
  const output = [
    ...(thinks === null && hides === null
      ? []
      : [{ id, type: 'reasoning', summary, encrypted_content: encrypted }]),
    ...(text === ''
      ? []
      : [
          {
            id: `msg_own${number}`,
            type: 'message',
            status: 'completed',
            role: 'assistant',
            content: [said],
          },
        ]),
    ...calls.map(({ id: callId, name, json }) => ({
      id: `fc_own${callId}`,
      type: 'function_call',
      status: 'completed',
      call_id: `call_${callId}`,
      name,
      arguments: json,
    })),
  ];
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  return {
    id: `resp_own${number}`,
    object: 'response',
    created_at: 1,
    status: 'completed',
    model,
    output,
    usage,
  };
}

/** The conversation of a caller in its dialect, which it sends back unchanged. */
export class Conversation {
  readonly #dialect: Dialect;
  readonly #list: Json[] = [];

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  ask(text: string): void {
    this.#list.push({ role: 'user', content: text });
  }

  /** Adds a provider's response as the caller gets it, and the results of its calls. */
  add(provider: ScriptedProvider, answer: JsonObject): void {
    const body: Json = this.#dialect === provider.dialect ? answer : this.#translate(provider, answer);
    const result = 'Rain';
    switch (this.#dialect) {
      case 'openai-chat': {
        const { message } = body['choices'][0];
        this.#list.push(message);
        for (const { id } of message.tool_calls ?? [])
          this.#list.push({ role: 'tool', tool_call_id: id, content: result });
        return;
      }
      case 'anthropic-messages': {
        this.#list.push({ role: 'assistant', content: body['content'] });
        const calls = body['content'].filter(({ type }: Json) => type === 'tool_use');
        const results = calls.map(({ id }: Json) => ({
          type: 'tool_result',
          tool_use_id: id,
          content: result,
        }));
        if (results.length > 0) this.#list.push({ role: 'user', content: results });
        return;
      }
      case 'openai-responses':
        this.#list.push(...body['output']);
        for (const { type, call_id: id } of body['output'])
          if (type === 'function_call')
            this.#list.push({ type: 'function_call_output', call_id: id, output: result });
    }
  }

  /** The next request. */
  get body(): JsonObject {
    const list = structuredClone(this.#list);
    const schema = { type: 'object', properties: { city: { type: 'string' } } };
    switch (this.#dialect) {
      case 'openai-chat': {
        const tool = { type: 'function', function: { name: 'weather', parameters: schema } };
        return { model: 'm', messages: list, tools: [tool], reasoning_effort: 'high' };
      }
      case 'anthropic-messages': {
        const tools = [{ name: 'weather', input_schema: schema }];
        const thinking = { type: 'enabled', budget_tokens: 2048 };
        return { model: 'm', max_tokens: 8000, messages: list, tools, thinking };
      }
      case 'openai-responses': {
        const tool = { type: 'function', name: 'weather', parameters: schema, strict: false };
        return { model: 'm', input: list, tools: [tool], reasoning: { effort: 'high' }, store: false };
      }
    }
  }

  #translate(provider: ScriptedProvider, answer: JsonObject): JsonObject {
    const response = getCodec(provider.dialect).decodeResponse(answer);
    if (response === null) throw new Error('The response cannot be read');
    const context = { requestId: `req_t${this.#list.length}`, model: 'm', nowSeconds: 1 };
    return JSON.parse(JSON.stringify(getCodec(this.#dialect).encodeResponse(response, context)));
  }
}

/** What a provider is sent for a caller's body. */
export function sendTo(provider: ScriptedProvider, from: Dialect, given: JsonObject): JsonObject {
  const { dialect, model, preset } = provider;
  const known = preset === null || dialect !== 'openai-chat' ? null : findPreset(preset);
  const quirks = known?.quirks ?? NO_QUIRKS;
  const target: TranslationTarget = {
    dialect,
    upstreamModel: model,
    quirks,
    isKnown: preset !== null,
    isAnthropic: preset === 'anthropic',
    defaultMaxTokens: 8192,
    caller: null,
  };
  const text = JSON.stringify(given);
  if (dialect !== from) {
    const decoded = decodeBody(from, text);
    if (!decoded.ok) throw new Error(decoded.error.message);
    const encoded = encodeFor(from, decoded.value.canonical, { target, outputLimit: null });
    if (!encoded.ok) throw new Error(encoded.error.message);
    return JSON.parse(JSON.stringify(encoded.value.body));
  }
  const body = new JsonObjectBytes(Buffer.from(text));
  const applied = applyProviderQuirks(
    body,
    { drops: [], changes: { model: JSON.stringify(model) } },
    { quirks, model },
  );
  if (!applied.ok) throw new Error(applied.error.message);
  const kept = withHistory(applied.value.edits, fitRelayedHistory(body, target));
  const { edits } = applyModelRules(given, kept, { dialect, quirks, model });
  return JSON.parse(body.edit(edits).toString());
}

/** Checks of the scripted model that nothing of it was lost. The providers themselves take the reasoning of others. */
const OWN_CHECKS = /reasoning_content was changed|Invalid `signature`/;

/** The reason why a provider refuses a request; null: none. */
export function findRefusal(
  { dialect, style, preset, writeSignature }: ScriptedProvider,
  body: JsonObject,
): string | null {
  if (writeSignature !== undefined) return null;
  switch (dialect) {
    case 'anthropic-messages':
      return checkMessagesRequest(body, { 'anthropic-version': '2023-06-01' })?.message ?? null;
    case 'openai-chat': {
      const message = preset === null ? null : (checkChatRequest(body, style)?.message ?? null);
      return message !== null && OWN_CHECKS.test(message) ? null : message;
    }
    case 'openai-responses':
      return findInputProblem(body);
  }
}

/** OpenAI accepts only reasoning that it encrypted itself, under its first id. */
function findInputProblem({ input }: Json): string | null {
  for (const { type, id, encrypted_content: encrypted, call_id: callId } of input) {
    if (type === 'reasoning' && findHiddenReasoning(encrypted)?.text !== id)
      return `The encrypted content of ${id} could not be verified`;
    if (typeof callId === 'string' && callId.length > 64) return `call_id too long: ${callId}`;
  }
  return null;
}
