import { Buffer } from 'node:buffer';
import type { TokenUsage } from '@tollgate/core/money/money';
import type { EncodedChunk } from './encoded-chunk.ts';
import type { CompletionRequest } from './parse-completion-request.ts';
import type { FakeDialect, GeneratedAnswer } from './script.ts';

/** An endpoint other than completions, without streaming. */
interface PlainEndpoint {
  dialect: FakeDialect;
  answer(request: CompletionRequest, script: GeneratedAnswer): EncodedChunk;
}

const DEFAULT_DIMENSIONS = 8;

/** By path; all use POST. */
const ENDPOINTS: Readonly<Record<string, PlainEndpoint>> = {
  // https://docs.anthropic.com/en/api/messages-count-tokens
  '/v1/messages/count_tokens': {
    dialect: 'anthropic-messages',
    answer: ({ messages }, { usage }) => {
      const inputTokens = usage?.inputTokens ?? Math.ceil(Buffer.byteLength(JSON.stringify(messages)) / 4);
      return getChunk({ input_tokens: inputTokens }, null);
    },
  },
  // https://platform.openai.com/docs/api-reference/responses/input-tokens
  '/v1/responses/input_tokens': {
    dialect: 'openai-chat',
    answer: ({ body }, { usage }) => {
      const inputTokens = usage?.inputTokens ?? Math.ceil(Buffer.byteLength(JSON.stringify(body.input)) / 4);
      return getChunk({ object: 'response.input_tokens', input_tokens: inputTokens }, null);
    },
  },
  // https://platform.openai.com/docs/api-reference/embeddings
  '/v1/embeddings': {
    dialect: 'openai-chat',
    answer: ({ body, model }, { usage: scripted }) => {
      const inputs = listInputs(body.input);
      const usage = scripted === undefined ? getUsage(inputs) : scripted;
      const dimensions = typeof body.dimensions === 'number' ? body.dimensions : DEFAULT_DIMENSIONS;
      const data = inputs.map((input, index) => ({
        object: 'embedding',
        index,
        embedding: encodeVector(getVector(input, dimensions), body.encoding_format),
      }));
      const counts =
        usage === null ? null : { prompt_tokens: usage.inputTokens, total_tokens: usage.inputTokens };
      return getChunk({ object: 'list', data, model, ...(counts !== null && { usage: counts }) }, usage);
    },
  },
};

export function findPlainEndpoint(method: string, path: string): PlainEndpoint | null {
  return method === 'POST' ? (ENDPOINTS[path] ?? null) : null;
}

/** The texts of an input: a text, texts, tokens or lists of tokens. */
function listInputs(input: unknown): string[] {
  const isMany = Array.isArray(input) && typeof input[0] !== 'number';
  return (isMany ? input : [input]).map((each) =>
    typeof each === 'string' ? each : JSON.stringify(each ?? ''),
  );
}

function getUsage(inputs: readonly string[]): TokenUsage {
  const inputTokens = inputs.reduce((sum, input) => sum + Math.ceil(Buffer.byteLength(input) / 4), 0);
  return { inputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, cacheWrite1hTokens: 0, outputTokens: 0 };
}

/** Exact as 32-bit floats, and different for different texts. */
function getVector(input: string, dimensions: number): number[] {
  const bytes = Buffer.from(input);
  return Array.from({ length: dimensions }, (_, index) => ((bytes[index % bytes.length] ?? 0) - 128) / 256);
}

function encodeVector(vector: readonly number[], format: unknown): readonly number[] | string {
  return format === 'base64' ? Buffer.from(new Float32Array(vector).buffer).toString('base64') : vector;
}

function getChunk(body: object, usage: TokenUsage | null): EncodedChunk {
  return { bytes: Buffer.from(JSON.stringify(body)), outputTokens: 0, usage };
}
