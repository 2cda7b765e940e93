import type { AnswerContext } from '../answer-context.ts';
import { asObject, type JsonObject } from '../json/parse-object.ts';

/** The id and time of an answer. */
export interface AnswerHead {
  /** As the provider named it; empty: not at all. */
  id: string;
  createdAt: number | null;
}

/**
 * Writes all of a response except its output and usage: its identity, and the settings of the request, which this dialect
 * repeats in each answer. Settings that the request leaves out have OpenAI's documented default.
 */
export function encodeEnvelope({ id, createdAt }: AnswerHead, context: AnswerContext): JsonObject {
  const asked = context.requestBody ?? {};
  const user = asked['user'];
  return {
    id: toResponseId(id, context.requestId),
    object: 'response',
    created_at: createdAt ?? context.nowSeconds,
    background: false,
    error: null,
    incomplete_details: null,
    instructions: asked['instructions'] ?? null,
    max_output_tokens: asked['max_output_tokens'] ?? null,
    max_tool_calls: asked['max_tool_calls'] ?? null,
    metadata: asked['metadata'] ?? {},
    model: context.model,
    parallel_tool_calls: asked['parallel_tool_calls'] ?? true,
    previous_response_id: null,
    prompt_cache_key: asked['prompt_cache_key'] ?? null,
    reasoning: { effort: null, summary: null, ...asObject(asked['reasoning']) },
    safety_identifier: asked['safety_identifier'] ?? null,
    // Replaced if the gateway stores the response.
    store: false,
    temperature: asked['temperature'] ?? 1,
    text: { format: { type: 'text' }, ...asObject(asked['text']) },
    tool_choice: asked['tool_choice'] ?? 'auto',
    tools: Array.isArray(asked['tools']) ? asked['tools'].map(encodeTool) : [],
    top_logprobs: asked['top_logprobs'] ?? 0,
    top_p: asked['top_p'] ?? 1,
    truncation: asked['truncation'] ?? 'disabled',
    ...(typeof user === 'string' ? { user } : {}),
  };
}

/** The part of the request's id that its own ids are made of. */
export function idStem(requestId: string): string {
  return requestId.replace(/^req_/, '');
}

function toResponseId(id: string, requestId: string): string {
  return id.startsWith('resp_') ? id : `resp_${idStem(requestId)}`;
}

function encodeTool(tool: unknown): unknown {
  const given = asObject(tool);
  if (given?.['type'] !== 'function') return tool;
  return { parameters: null, strict: null, ...given };
}
