import type { TokenUsage } from '@tollgate/core/money/money';
import type { Dialect } from '@tollgate/core/models/dialect';
import { checkChatRequest } from '../agent-model/check-chat-request.ts';
import { checkMessagesRequest } from '../agent-model/check-messages-request.ts';
import { checkResponsesRequest } from '../agent-model/check-responses-request.ts';
import { encodeChatAnswer, encodeChatStream } from '../agent-model/encode-chat-answer.ts';
import { encodeMessagesAnswer, encodeMessagesStream } from '../agent-model/encode-messages-answer.ts';
import { encodeResponsesAnswer, encodeResponsesStream } from '../agent-model/encode-responses-answer.ts';
import { planAnswer, type AgentAnswer } from '../agent-model/plan-answer.ts';
import { readChatRequest } from '../agent-model/read-chat-request.ts';
import { readMessagesRequest } from '../agent-model/read-messages-request.ts';
import { readResponsesRequest } from '../agent-model/read-responses-request.ts';
import type { ReadRequest, Refusal } from '../agent-model/seen-conversation.ts';
import type { EncodedChunk } from '../fake-provider/encoded-chunk.ts';
import type { CompletionRequest } from '../fake-provider/parse-completion-request.ts';
import { AnthropicPrefixCache } from '../fake-provider/prompt-cache/anthropic-prefix-cache.ts';
import type { CachedInput } from '../fake-provider/prompt-cache/cached-input.ts';
import { OpenAiPrefixCache } from '../fake-provider/prompt-cache/openai-prefix-cache.ts';
import type { Script, ScriptWriter } from '../fake-provider/script.ts';
import { getCodingScript, SLOW_PROMPT } from './coding-job.ts';

export interface CodingModelOptions {
  /** The script of the model for a request with these tools. Default: a coding agent's job. */
  getScript?: typeof getCodingScript;
  /** Reasons why the provider's models refuse a body, in addition to the rules of its API. */
  listRefusals: (dialect: Dialect, body: Record<string, unknown>) => readonly string[];
}

/** The standing orders of the fake provider for a model that does a coding agent's job. */
export interface CodingModel {
  chat: ScriptWriter;
  messages: ScriptWriter;
  responses: ScriptWriter;
  /** All refused requests. */
  refusals: { message: string; body: string }[];
}

/** Between the words of a slow response. */
const SLOW_MS = 20;

/**
 * A coding agent's model at providers that enforce the rules of their APIs and of their models, and that have a prompt cache for
 * each API.
 */
export function createCodingModel({
  listRefusals,
  getScript = getCodingScript,
}: CodingModelOptions): CodingModel {
  const refusals: CodingModel['refusals'] = [];
  const openAi = new OpenAiPrefixCache(Date.now);
  const anthropic = new AnthropicPrefixCache(Date.now);
  const createWriter =
    (dialect: Dialect): ScriptWriter =>
    (request, headers) => {
      const { body } = request;
      const refusal = findRefusal(dialect, request, { headers, listRefusals });
      const input = dialect === 'anthropic-messages' ? anthropic.read(body) : openAi.read(body);
      const refused = refusal ?? (input === null ? TOO_MANY_BREAKPOINTS : null);
      if (refused === null && input !== null) return answer(dialect, request, { input, getScript });
      const given = refused ?? TOO_MANY_BREAKPOINTS;
      refusals.push({ message: `${dialect}: ${given.message}`, body: JSON.stringify(body) });
      return refuse(dialect, given);
    };
  return {
    chat: createWriter('openai-chat'),
    messages: createWriter('anthropic-messages'),
    responses: createWriter('openai-responses'),
    refusals,
  };
}

const TOO_MANY_BREAKPOINTS: Refusal = {
  message: 'A maximum of 4 blocks with cache_control may be provided.',
  param: null,
  code: null,
};

function findRefusal(
  dialect: Dialect,
  { body }: CompletionRequest,
  {
    headers,
    listRefusals,
  }: Pick<CodingModelOptions, 'listRefusals'> & { headers: Parameters<ScriptWriter>[1] },
): Refusal | null {
  const [message] = listRefusals(dialect, body);
  if (message !== undefined) return { message, param: null, code: null };
  switch (dialect) {
    case 'openai-chat':
      return checkChatRequest(body, 'none');
    case 'openai-responses':
      return checkResponsesRequest(body);
    case 'anthropic-messages':
      return checkMessagesRequest(body, headers);
  }
}

function refuse(dialect: Dialect, { message, param, code }: Refusal): Script {
  const type = 'invalid_request_error';
  const body =
    dialect === 'anthropic-messages'
      ? { type: 'error', error: { type, message }, request_id: 'req_fake0001' }
      : { error: { message, type, param, code } };
  return { replay: { status: 400, body: JSON.stringify(body), contentType: 'application/json' } };
}

function answer(
  dialect: Dialect,
  request: CompletionRequest,
  { input, getScript }: { input: CachedInput; getScript: typeof getCodingScript },
): Script {
  const read = readRequest(dialect, request.body);
  const planned = planAnswer(getScript(read.wishes.tools), read, {
    model: request.model ?? '',
    inputBytes: 0,
  });
  const { outputTokens } = planned.usage;
  const usage: TokenUsage = { ...input, cacheWrite1hTokens: 0, outputTokens };
  const chunks = encode(dialect, request, { ...planned, usage });
  const body = Buffer.concat(chunks.map(({ bytes }) => bytes));
  const isSlow = read.seen.said.some((text) => text.includes(SLOW_PROMPT));
  return { replay: { body, usage }, ...(isSlow && { intervalMs: SLOW_MS }) };
}

function readRequest(dialect: Dialect, body: Record<string, unknown>): ReadRequest {
  switch (dialect) {
    case 'openai-chat':
      return readChatRequest(body, 'none');
    case 'openai-responses':
      return readResponsesRequest(body);
    case 'anthropic-messages':
      return readMessagesRequest(body);
  }
}

function encode(dialect: Dialect, request: CompletionRequest, planned: AgentAnswer): EncodedChunk[] {
  const { isStream, includesUsage, body } = request;
  switch (dialect) {
    case 'openai-chat':
      return isStream ? encodeChatStream(planned, 'none', includesUsage) : encodeChatAnswer(planned, 'none');
    case 'openai-responses':
      return isStream ? encodeResponsesStream(planned, body) : encodeResponsesAnswer(planned, body);
    case 'anthropic-messages':
      return isStream ? encodeMessagesStream(planned) : encodeMessagesAnswer(planned);
  }
}
