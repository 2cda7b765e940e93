import type { CompletionRequest } from '@tollgate/core/completion/request';
import type { Dialect } from '@tollgate/core/models/dialect';
import { findOpenAiRules } from '@tollgate/dialects/model-rules/find-model-rules';
import { BILLING_HEADER_NAME, withoutBillingHeader } from '@tollgate/dialects/prompt-cache/billing-header';
import { isCodingAgent } from '@tollgate/dialects/prompt-cache/coding-agent';
import { findSession } from '@tollgate/dialects/prompt-cache/find-session';
import type { Exchange } from '../exchange.ts';
import { computeSessionKey } from './session-cache-key.ts';

/** What the prompt caches of providers depend on, besides the body. */
export interface CacheCaller {
  accountId: string;
  isAgent: boolean;
  /** Claude Code's session; null: none is named in a header. */
  session: string | null;
}

const SESSION_HEADER = 'x-claude-code-session-id';
const MAX_SESSION = 128;

export function getCacheCaller(exchange: Pick<Exchange, 'header'>, accountId: string): CacheCaller {
  const session = exchange.header(SESSION_HEADER);
  return {
    accountId,
    isAgent: isCodingAgent(exchange.header('user-agent')),
    session: session === '' || (session?.length ?? 0) > MAX_SESSION ? null : session,
  };
}

interface CacheTarget {
  dialect: Dialect;
  /** The provider's name for the model. */
  upstreamModel: string;
  /** True if the provider has a preset. */
  isKnown: boolean;
  /** null: unknown, so nothing is added. */
  caller: CacheCaller | null;
}

interface FittedCache {
  request: CompletionRequest;
  /** For the encoder; empty: breakpoints are not placed. */
  breakpoints: { breakpoints?: { isAgent: boolean } };
  /** What is not sent. */
  dropped: readonly string[];
}

/**
 * Makes a provider cache a translated request as it would cache the same request in its own dialect. Claude needs breakpoints,
 * which only callers of the Messages API place. OpenAI finds a prefix by `prompt_cache_key`, for which Claude Code's session is
 * sent.
 */
export function fitPromptCache(
  from: Dialect,
  request: CompletionRequest,
  { dialect, isKnown, upstreamModel, caller }: CacheTarget,
): FittedCache {
  if (from !== 'anthropic-messages') {
    // With this member, the caller decides itself what is cached.
    const isChosen = 'prompt_cache_options' in request.extra;
    const isPlaced = dialect === 'anthropic-messages' && caller !== null && !isChosen;
    return {
      request,
      breakpoints: isPlaced ? { breakpoints: { isAgent: caller.isAgent } } : {},
      dropped: [],
    };
  }
  const messages = withoutBillingHeader(request.messages);
  const dropped = messages === request.messages ? [] : [BILLING_HEADER_NAME];
  const session = caller?.session ?? findSession(request.endUser);
  // A custom server may refuse members that it does not know.
  const takesKey = isKnown || findOpenAiRules(upstreamModel) !== null;
  const promptCacheKey =
    caller !== null && session !== null && takesKey
      ? computeSessionKey(caller.accountId, session)
      : request.promptCacheKey;
  return { request: { ...request, messages, promptCacheKey }, breakpoints: {}, dropped };
}
