import type { TokenUsage } from '@tollgate/core/money/money';
import type { ExpectedCacheRead } from '@tollgate/limits/expected-cache-reads';
import type { LimitStore, LimitTicket } from '@tollgate/limits/limit-store';
import type { Route } from '../catalogue/route.ts';
import type { CachedKey } from '../keys/key-cache.ts';
import { getLimitedTokens } from './settlement-values.ts';

/** The tokens that a request has reserved in its limits. */
export class LimitedTokens {
  /** null: the request does not count in limits, or not yet. */
  ticket: LimitTicket | null = null;
  /** What it will probably read from a prompt cache, and did not reserve; null: that counts as other input. */
  cacheRead: ExpectedCacheRead | null = null;

  /** Replaces what was reserved by what was used. @param errorCode null: answered in full */
  settle(
    {
      limits,
      key,
    }: { limits: Pick<LimitStore, 'trueUp'>; key: { plan: Pick<CachedKey['plan'], 'countsCacheReads'> } },
    used: { usage: TokenUsage; route: Route | null; errorCode: string | null },
  ): void {
    const { usage, route, errorCode } = used;
    if (this.ticket !== null) limits.trueUp(this.ticket, getLimitedTokens(usage, key.plan, route));
    const cached = usage.cacheReadTokens + usage.cacheWriteTokens + usage.cacheWrite1hTokens;
    this.cacheRead?.settle(errorCode === null ? cached : null);
  }
}
