import type { Script, ScriptWriter } from '../script.ts';
import { asObject, type CompletionRequest } from '../parse-completion-request.ts';
import { AnthropicPrefixCache } from './anthropic-prefix-cache.ts';
import type { CachedInput } from './cached-input.ts';
import { OpenAiPrefixCache } from './openai-prefix-cache.ts';

export interface CachingModelOptions {
  /** The time in milliseconds. */
  now: () => number;
  /** True: the next response is text; false: it calls the first tool. */
  isText: () => boolean;
}

/** The standing orders of the fake provider for a model that reports the input that its prompt cache has read and written. */
export interface CachingModel {
  chat: ScriptWriter;
  messages: ScriptWriter;
  responses: ScriptWriter;
}

const TEXT = 'I have read the file, and I will change it next. ';
const OUTPUT_TOKENS = 20;

/** A model with a prompt cache for each dialect, as its provider documents it. */
export function createCachingModel({ now, isText }: CachingModelOptions): CachingModel {
  let serial = 0;
  const answer = (input: CachedInput): Script => {
    const usage = { ...input, cacheWrite1hTokens: 0, outputTokens: OUTPUT_TOKENS };
    serial += 1;
    const content = isText() ? { text: TEXT } : { callsTool: true };
    return { answer: { ...content, id: `answer${serial}`, usage } };
  };
  const openAi = new OpenAiPrefixCache(now);
  const anthropic = new AnthropicPrefixCache(now);
  return {
    chat: (request) => answer(openAi.read(request.body)),
    messages: (request) => {
      const read = anthropic.read(request.body);
      return read === null ? { error: { status: 400 } } : answer(read);
    },
    responses: (request) => replayResponse(request, openAi.read(request.body), isText()),
  };
}

/** https://platform.openai.com/docs/api-reference/responses/object */
function replayResponse({ body }: CompletionRequest, input: CachedInput, isText: boolean): Script {
  const [tool] = Array.isArray(body.tools) ? body.tools.map(asObject) : [];
  const number = Array.isArray(body.input) ? body.input.length : 0;
  const reasoning = {
    id: `rs_${number}`,
    type: 'reasoning',
    summary: [],
    encrypted_content: `gAAA${'x'.repeat(400)}${number}`,
  };
  const output =
    isText || tool === undefined
      ? {
          id: `msg_${number}`,
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: TEXT, annotations: [], logprobs: [] }],
        }
      : {
          id: `fc_${number}`,
          type: 'function_call',
          status: 'completed',
          call_id: `call_${number}`,
          name: tool.name,
          arguments: '{"input":"sample"}',
        };
  const inputTokens = input.inputTokens + input.cacheReadTokens;
  const response = {
    id: `resp_${number}`,
    object: 'response',
    created_at: 1_760_000_000,
    status: 'completed',
    model: body.model,
    output: [reasoning, output],
    usage: {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: input.cacheReadTokens },
      output_tokens: OUTPUT_TOKENS,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: inputTokens + OUTPUT_TOKENS,
    },
  };
  const usage = { ...input, cacheWrite1hTokens: 0, outputTokens: OUTPUT_TOKENS };
  return { replay: { body: JSON.stringify(response), contentType: 'application/json', usage } };
}
