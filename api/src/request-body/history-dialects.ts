import type { Dialect } from '@tollgate/core/models/dialect';
import type { EndpointPath } from '@tollgate/dialects/usage/billed-parts';

/** The dialects of the conversations; null: a body has none. */
export const HISTORY_DIALECTS: Record<EndpointPath, Dialect | null> = {
  '/v1/chat/completions': 'openai-chat',
  '/v1/messages': 'anthropic-messages',
  '/v1/messages/count_tokens': 'anthropic-messages',
  '/v1/responses': 'openai-responses',
  '/v1/responses/input_tokens': 'openai-responses',
  '/v1/embeddings': null,
};
