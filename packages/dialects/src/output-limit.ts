import type { Dialect } from '@tollgate/core/models/dialect';
import { TAKEN_LIMIT_MEMBERS } from './limit-members.ts';
import { NO_QUIRKS, type ProviderQuirks } from './openai-chat/quirks/provider-quirks.ts';

/**
 * The change of a request's body, for `editJsonMembers`, that limits the tokens of each of its answers.
 * @param quirks of a provider of `openai-chat`; null: none. Ignored in other dialects
 * @param maxTokens a whole number of at least 1
 * @param named the members in which the request names a limit already: each gets this one
 */
export function clampChanges(
  dialect: Dialect,
  quirks: ProviderQuirks | null,
  maxTokens: number,
  named: readonly string[] = [],
): Record<string, string> {
  const limit = JSON.stringify(maxTokens);
  switch (dialect) {
    case 'openai-chat': {
      const { maxTokensMember } = quirks ?? NO_QUIRKS;
      const taken: readonly string[] = TAKEN_LIMIT_MEMBERS[maxTokensMember];
      const isEnough = named.some((name) => taken.includes(name));
      const changes: Record<string, string> = {};
      for (const name of named) changes[name] = limit;
      if (!isEnough) changes[maxTokensMember] = limit;
      return changes;
    }
    case 'anthropic-messages':
      return { max_tokens: limit };
    case 'openai-responses':
      return { max_output_tokens: limit };
  }
}
