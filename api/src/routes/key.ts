import { Buffer } from 'node:buffer';
import { formatUsd } from '@tollgate/core/money';
import { findKeyByHash } from '@tollgate/db/queries/key-lookup';
import type { WindowState } from '@tollgate/limits/memory-limits';
import type { ApiDeps } from '../deps.ts';
import type { Exchange } from '../exchange.ts';
import type { CachedKey } from '../keys/key-cache.ts';

/** `GET /v1/key`: the scope, the spend and the limits of the key that asks. */
export async function answerKey(deps: ApiDeps, exchange: Exchange, key: CachedKey): Promise<void> {
  const fresh = await findKeyByHash(deps.db, Buffer.from(key.hashHex, 'hex'));
  if (fresh !== null) key.spend.note(fresh.spentNanoUsd);
  const spent = key.spend.total;
  const budget = key.maxBudgetNanoUsd;
  const windows = deps.limits.peek(key.id, key);
  const body = {
    object: 'key',
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    last4: key.last4,
    state: key.accountSuspendedAt === null ? 'active' : 'account_suspended',
    allowed_models: key.allowedModels,
    max_budget_usd: budget === null ? null : formatUsd(budget),
    spent_usd: formatUsd(spent),
    remaining_usd: budget === null ? null : formatUsd(budget > spent ? budget - spent : 0n),
    limits: { requests_per_minute: encode(windows.requests), tokens_per_minute: encode(windows.tokens) },
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
  };
  exchange.send(200, 'application/json', JSON.stringify(body));
}

function encode(window: WindowState | null) {
  return window === null
    ? null
    : { limit: window.limit, remaining: window.remaining, reset_seconds: Math.ceil(window.resetMs / 1000) };
}
