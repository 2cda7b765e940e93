import { Buffer } from 'node:buffer';
import { formatUsd } from '@tollgate/core/money/money';
import { findKeyByHash } from '@tollgate/db/queries/keys/key-lookup';
import type { LimitState, WindowState } from '@tollgate/limits/limit-store';
import { getOwners } from '../pipeline/limit-owners.ts';
import type { z } from 'zod';
import type { ApiDeps } from '../deps.ts';
import type { Exchange } from '../exchange.ts';
import type { CachedKey } from '../keys/key-cache.ts';
import type { keySchema } from '../openapi/schemas/key.ts';

/** `GET /v1/key`: the scope, the spend and the limits of the calling key. */
export async function answerKey(deps: ApiDeps, exchange: Exchange, key: CachedKey): Promise<void> {
  const fresh = await findKeyByHash(deps.db, Buffer.from(key.hashHex, 'hex'));
  const { spentNanoUsd: spent, heldNanoUsd: held, balance, plan } = fresh ?? key;
  const budget = key.maxBudgetNanoUsd;
  const windows = await deps.limits.peek(getOwners(key));
  const body: z.input<typeof keySchema> = {
    object: 'key',
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    last4: key.last4,
    state: key.accountSuspendedAt === null ? 'active' : 'account_suspended',
    allowed_models: key.allowedModels,
    max_budget_usd: budget === null ? null : formatUsd(budget),
    spent_usd: formatUsd(spent),
    held_usd: formatUsd(held),
    remaining_usd: budget === null ? null : formatUsd(atLeastZero(budget - spent - held)),
    plan: {
      id: plan.id,
      allowed_models: plan.allowedModels,
      price_multiplier: plan.pricePpm / 1_000_000,
      own_credential_fee: plan.ownCredentialPpm / 1_000_000,
      limits: encodeLimits(windows.account),
      counts_cache_reads: plan.countsCacheReads,
    },
    balance: plan.isPrepaid
      ? {
          available_usd: formatUsd(balance.availableNanoUsd),
          held_usd: formatUsd(balance.heldNanoUsd),
          remaining_usd: formatUsd(atLeastZero(balance.availableNanoUsd - balance.heldNanoUsd)),
        }
      : null,
    limits: encodeLimits(windows.key),
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
  };
  exchange.send(200, 'application/json', JSON.stringify(body));
}

function atLeastZero(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}

function encodeLimits({ requests, tokens }: LimitState) {
  return { requests_per_minute: encode(requests), tokens_per_minute: encode(tokens) };
}

function encode(window: WindowState | null) {
  return window === null
    ? null
    : { limit: window.limit, remaining: window.remaining, reset_seconds: Math.ceil(window.resetMs / 1000) };
}
