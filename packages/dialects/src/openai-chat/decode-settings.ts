import { CHAT_LIMIT_MEMBERS } from '../limit-members.ts';
import {
  REASONING_EFFORTS,
  type OutputFormat,
  type Reasoning,
  type Sampling,
} from '@tollgate/core/completion/request';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import type { FieldReader } from '../json/field-reader.ts';

const MAX_TOKENS = { min: 1, max: 0x7fffffff };
const MAX_STOP_SEQUENCES = 64;

export function decodeSampling(body: JsonObject, reader: FieldReader): Sampling {
  const number = (key: string, min: number, max: number) =>
    reader.number({ object: body, key, at: '' }, { min, max });
  const safe = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER };
  return {
    temperature: number('temperature', 0, 2),
    topP: number('top_p', 0, 1),
    // Not OpenAI's, but accepted by many providers of its dialect.
    topK: reader.integer({ object: body, key: 'top_k', at: '' }, { ...safe, min: -1 }),
    seed: reader.integer({ object: body, key: 'seed', at: '' }, safe),
    presencePenalty: number('presence_penalty', -2, 2),
    frequencyPenalty: number('frequency_penalty', -2, 2),
    logitBias: decodeLogitBias(body, reader),
  };
}

function decodeLogitBias(body: JsonObject, reader: FieldReader): Sampling['logitBias'] {
  const bias = reader.object({ object: body, key: 'logit_bias', at: '' });
  if (bias === null) return null;
  return Object.fromEntries(
    Object.keys(bias).map((key) => {
      const value = reader.number({ object: bias, key, at: 'logit_bias.' }, { min: -100, max: 100 });
      return [key, value ?? 0];
    }),
  );
}

/** The newest name that has a value. */
export function decodeMaxTokens(body: JsonObject, reader: FieldReader): number | null {
  let limit: number | null = null;
  for (const key of CHAT_LIMIT_MEMBERS)
    limit = reader.integer({ object: body, key, at: '' }, MAX_TOKENS) ?? limit;
  return limit;
}

export function decodeStop(body: JsonObject, reader: FieldReader): string[] {
  if (typeof body['stop'] === 'string') return [body['stop']];
  const list = reader.list({ object: body, key: 'stop', at: '' }) ?? [];
  if (list.length > MAX_STOP_SEQUENCES)
    reader.refuse('stop', `must hold no more than ${MAX_STOP_SEQUENCES} strings`);
  return list.flatMap((value, index) => {
    if (typeof value === 'string') return [value];
    reader.refuse(`stop.${index}`, 'must be a string');
    return [];
  });
}

export function decodeLogprobs(body: JsonObject, reader: FieldReader): { alternatives: number } | null {
  const wanted = reader.boolean({ object: body, key: 'logprobs', at: '' });
  const alternatives = reader.integer({ object: body, key: 'top_logprobs', at: '' }, { min: 0, max: 20 });
  if (alternatives !== null && wanted !== true) reader.refuse('top_logprobs', 'needs logprobs to be true');
  return wanted === true ? { alternatives: alternatives ?? 0 } : null;
}

export function decodeOutputFormat(body: JsonObject, reader: FieldReader): OutputFormat {
  const format = reader.object({ object: body, key: 'response_format', at: '' });
  if (format === null) return { type: 'text' };
  const at = 'response_format.';
  const types = ['text', 'json_object', 'json_schema'] as const;
  const type = reader.oneOf({ object: format, key: 'type', at }, types);
  if (type === null) reader.refuse(`${at}type`, `must be one of ${types.join(', ')}`);
  if (type !== 'json_schema') return { type: type ?? 'text' };
  const schema = reader.requiredObject({ object: format, key: 'json_schema', at });
  const inside = `${at}json_schema.`;
  return {
    type,
    name: reader.string({ object: schema, key: 'name', at: inside }),
    description: reader.string({ object: schema, key: 'description', at: inside }),
    schema: reader.object({ object: schema, key: 'schema', at: inside }) ?? {},
    strict: reader.boolean({ object: schema, key: 'strict', at: inside }),
  };
}

/**
 * OpenAI's `reasoning_effort`; else what others take in this dialect: OpenRouter's `reasoning`
 * (https://openrouter.ai/docs/use-cases/reasoning-tokens), or Anthropic's `thinking`.
 */
export function decodeReasoning(body: JsonObject, reader: FieldReader): Reasoning | null {
  const effort = reader.oneOf({ object: body, key: 'reasoning_effort', at: '' }, REASONING_EFFORTS);
  if (effort !== null) return { type: 'effort', effort };
  const reasoning = reader.object({ object: body, key: 'reasoning', at: '' });
  if (reasoning !== null) return decodeReasoningObject(reasoning, reader);
  const thinking = asObject(body['thinking']);
  const tokens = reader.integer(
    { object: thinking ?? {}, key: 'budget_tokens', at: 'thinking.' },
    MAX_TOKENS,
  );
  switch (thinking?.['type']) {
    case 'enabled':
      return tokens === null ? { type: 'adaptive', effort: null } : { type: 'budget', tokens };
    case 'adaptive':
      return { type: 'adaptive', effort: null };
    case 'disabled':
      return { type: 'off' };
    default:
      return null;
  }
}

function decodeReasoningObject(reasoning: JsonObject, reader: FieldReader): Reasoning | null {
  const at = 'reasoning.';
  const tokens = reader.integer({ object: reasoning, key: 'max_tokens', at }, MAX_TOKENS);
  const effort = reader.oneOf({ object: reasoning, key: 'effort', at }, REASONING_EFFORTS);
  const enabled = reader.boolean({ object: reasoning, key: 'enabled', at });
  if (enabled === false) return { type: 'off' };
  if (tokens !== null) return { type: 'budget', tokens };
  if (effort !== null) return { type: enabled === true ? 'adaptive' : 'effort', effort };
  return enabled === true ? { type: 'adaptive', effort: null } : null;
}
