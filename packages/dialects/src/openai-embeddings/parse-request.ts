import { Buffer } from 'node:buffer';
import type { Result } from '@tollgate/core/errors/errors';
import { classifyBody } from '../contract/request-members.ts';
import { tokensOfBytes } from '../input-tokens/tokens-of-bytes.ts';
import { createInputTraits } from '../input-traits.ts';
import { denyIssue } from '../json/deny-issue.ts';
import { parseCommonFields } from '../parse-common.ts';
import type { ParsedRequest } from '../relay-request.ts';
import { embeddingsSchemaFor } from './request-schema.ts';

/**
 * Reads and checks `POST /v1/embeddings` (https://platform.openai.com/docs/api-reference/embeddings/create).
 * @returns its `inputTokens` are exact if the input is tokens, and a quarter of the bytes if it is text
 */
export function parseOpenAiEmbeddingsRequest(text: string): Result<ParsedRequest> {
  const common = parseCommonFields(text);
  if (!common.ok) return common;
  const { body } = common.value;
  const parsed = embeddingsSchemaFor(body['input']).safeParse(body);
  if (!parsed.success) return denyIssue(parsed.error);
  const { model, input } = parsed.data;
  const inputTokens = countTokens(input);
  return {
    ok: true,
    value: {
      model,
      stream: false,
      wantsStreamUsage: false,
      forwardChanges: {},
      maxOutputTokens: 0,
      choices: 1,
      ...classifyBody(body),
      inputTokens,
      ...createInputTraits(),
    },
  };
}

type Input = string | number | readonly Input[];

function countTokens(input: Input): number {
  if (typeof input === 'number') return 1;
  if (typeof input === 'string') return tokensOfBytes(Buffer.byteLength(input));
  let tokens = 0;
  for (const each of input) tokens += countTokens(each);
  return tokens;
}
