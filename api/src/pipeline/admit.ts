import { deny, type Result } from '@tollgate/core/errors';
import type { LimitDecision, LimitState, MemoryLimits } from '@tollgate/limits/memory-limits';
import type { CachedKey } from '../keys/key-cache.ts';

const NO_LIMITS: LimitState = { requests: null, tokens: null };

export type Admission =
  | { ok: true; state: LimitState }
  | (Extract<Result<never>, { ok: false }> & { state: LimitState });

/** Of a request that nothing is taken for. */
export const FREE: Admission = { ok: true, state: NO_LIMITS };

/** Takes the request out of the key's limits, or says which one it has used up. */
export function admit(key: CachedKey, limits: MemoryLimits): Admission {
  if (key.rpm === null && key.tpm === null) return { ok: true, state: NO_LIMITS };
  const decision = limits.take(key.id, key);
  return decision.ok ? decision : { ...refusal(key, decision), state: decision.state };
}

function refusal(key: CachedKey, decision: Extract<LimitDecision, { ok: false }>) {
  const retryAfterSeconds = Math.ceil(decision.retryAfterMs / 1000);
  const again = `Try again in ${retryAfterSeconds} s.`;
  return decision.limit === 'requests'
    ? deny('rate_limit_requests', `This API key may make ${key.rpm} requests a minute, and has. ${again}`, {
        retryAfterSeconds,
      })
    : deny('rate_limit_tokens', `This API key may use ${key.tpm} tokens a minute, and has. ${again}`, {
        retryAfterSeconds,
      });
}
