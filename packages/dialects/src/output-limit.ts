import type { Dialect } from '@tollgate/core/dialect';
import { OPENAI_FLAVOUR, type OpenAiChatFlavour } from './openai-chat/flavour.ts';

/**
 * The change of a request's body, for `editJsonMembers`, that limits the tokens of each of its answers. For a request that
 * names no limit of its own: one that is there under another name would stay beside it.
 * @param flavour what a provider of `openai-chat` takes; null: as OpenAI does. Of no meaning in other dialects
 * @param maxTokens a whole number of at least 1
 */
export function clampChanges(
  dialect: Dialect,
  flavour: OpenAiChatFlavour | null,
  maxTokens: number,
): Record<string, string> {
  const limit = JSON.stringify(maxTokens);
  switch (dialect) {
    case 'openai-chat':
      return { [(flavour ?? OPENAI_FLAVOUR).maxTokensMember]: limit };
    case 'anthropic-messages':
      return { max_tokens: limit };
    case 'openai-responses':
      return { max_output_tokens: limit };
  }
}
