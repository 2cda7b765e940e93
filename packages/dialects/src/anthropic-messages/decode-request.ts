import type { Result } from '@tollgate/core/errors/errors';
import type { CompletionRequest } from '@tollgate/core/completion/request';
import { denyIssue } from '../json/deny-issue.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { decodeExtra } from './decode-extra.ts';
import { decodeMessages } from './decode-messages.ts';
import { decodeReasoning } from './decode-reasoning.ts';
import { decodeTools } from './decode-tools.ts';
import { denyThread } from './deny-thread.ts';
import { anthropicRequestSchema, type AnthropicRequest } from './request-schema.ts';

/**
 * Reads the body of `POST /v1/messages` (https://docs.anthropic.com/en/api/messages) without loss.
 * @returns `invalid_request` with the path of the invalid member: `messages.0.content.1.source.url`;
 * `unsupported_parameter` for a conversation that the provider is to keep
 */
export function decodeAnthropicRequest(body: JsonObject): Result<CompletionRequest> {
  const parsed = anthropicRequestSchema.safeParse(body);
  if (!parsed.success) return denyIssue(parsed.error);
  const thread = denyThread(body);
  if (thread !== null) return thread;
  const { data } = parsed;
  return {
    ok: true,
    value: {
      model: data.model,
      stream: data.stream === true,
      wantsStreamUsage: true,
      messages: decodeMessages(data),
      ...decodeTools(data),
      outputFormat: decodeFormat(data),
      maxOutputTokens: data.max_tokens,
      stopSequences: data.stop_sequences ?? [],
      sampling: {
        temperature: data.temperature ?? null,
        topP: data.top_p ?? null,
        topK: data.top_k ?? null,
        seed: null,
        presencePenalty: null,
        frequencyPenalty: null,
        logitBias: null,
      },
      reasoning: decodeReasoning(data),
      choices: 1,
      logprobs: null,
      modalities: ['text'],
      verbosity: null,
      serviceTier: data.service_tier ?? null,
      endUser: data.metadata?.user_id ?? null,
      metadata: null,
      promptCacheKey: null,
      extra: decodeExtra(data),
    },
  };
}

function decodeFormat(body: AnthropicRequest): CompletionRequest['outputFormat'] {
  const format = body.output_config?.format ?? body.output_format ?? null;
  if (format === null) return { type: 'text' };
  return { type: 'json_schema', name: null, description: null, schema: format.schema, strict: null };
}
