import { anthropicStreamRules } from '@tollgate/dialects/anthropic-messages/stream-rules';
import { decodeAnthropicUsage } from '@tollgate/dialects/anthropic-messages/decode-usage';
import { parseAnthropicMessagesRequest } from '@tollgate/dialects/anthropic-messages/parse-request';
import type { RelayRequest } from '@tollgate/dialects/relay-request';
import { asObject, type JsonObject } from '@tollgate/dialects/json/parse-object';
import { decodeOpenAiUsage } from '@tollgate/dialects/openai-chat/decode-usage';
import { parseOpenAiChatRequest } from '@tollgate/dialects/openai-chat/parse-request';
import { createOpenAiStreamRules } from '@tollgate/dialects/openai-chat/stream-rules';
import { decodeOpenAiResponsesUsage } from '@tollgate/dialects/openai-responses/decode-usage';
import { parseOpenAiResponsesRequest } from '@tollgate/dialects/openai-responses/parse-request';
import { openAiResponsesStreamRules } from '@tollgate/dialects/openai-responses/stream-rules';
import type { StreamRules } from '@tollgate/dialects/stream-tap';
import type { Dialect } from '@tollgate/core/dialect';
import type { Result } from '@tollgate/core/errors';
import type { TokenUsage } from '@tollgate/core/money';

/** One way to ask for a completion: an endpoint and the dialect that it speaks. */
export interface CompletionFace {
  dialect: Dialect;
  endpoint: string;
  /** Below a provider of the same dialect, for the demo provider's sake. */
  path: string;
  /** Request headers of the caller that a provider of the same dialect gets. */
  forwardedHeaders: readonly string[];
  parseRequest(text: string): Result<RelayRequest>;
  streamRules(request: RelayRequest): StreamRules;
  /** The usage of a whole answer; null where the provider reported none. */
  decodeUsage(body: JsonObject): TokenUsage | null;
}

const hiddenUsageRules = createOpenAiStreamRules(false);
const shownUsageRules = createOpenAiStreamRules(true);

export const chatCompletionsFace: CompletionFace = {
  dialect: 'openai-chat',
  endpoint: '/v1/chat/completions',
  path: '/chat/completions',
  forwardedHeaders: ['openai-beta'],
  parseRequest: parseOpenAiChatRequest,
  streamRules: (request) => (request.wantsStreamUsage ? shownUsageRules : hiddenUsageRules),
  decodeUsage: decodeOpenAiUsage,
};

export const messagesFace: CompletionFace = {
  dialect: 'anthropic-messages',
  endpoint: '/v1/messages',
  path: '/messages',
  forwardedHeaders: ['anthropic-version', 'anthropic-beta'],
  parseRequest: parseAnthropicMessagesRequest,
  streamRules: () => anthropicStreamRules,
  decodeUsage: (body) => {
    const usage = asObject(body['usage']);
    return usage === null ? null : decodeAnthropicUsage(usage);
  },
};

export const responsesFace: CompletionFace = {
  dialect: 'openai-responses',
  endpoint: '/v1/responses',
  path: '/responses',
  forwardedHeaders: ['openai-beta'],
  parseRequest: parseOpenAiResponsesRequest,
  streamRules: () => openAiResponsesStreamRules,
  decodeUsage: decodeOpenAiResponsesUsage,
};
