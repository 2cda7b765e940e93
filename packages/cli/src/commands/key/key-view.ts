import { formatUsd } from '@tollgate/core/money/money';
import type { KeyOverview } from '@tollgate/db/queries/keys/key-overview';
import { iso, moment, usd, whole } from '../../output/format.ts';
import { formatFacts } from '../../output/table.ts';

export type KeyState = 'active' | 'revoked' | 'expired';

export function keyState(key: KeyOverview, nowMs: number): KeyState {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && key.expiresAt.getTime() <= nowMs ? 'expired' : 'active';
}

export function keyJson(key: KeyOverview, nowMs: number) {
  return {
    id: key.id,
    account: key.accountEmail,
    name: key.name,
    prefix: key.prefix,
    last4: key.last4,
    state: keyState(key, nowMs),
    tags: key.tags,
    models: key.allowedModels,
    maxBudgetUsd: key.maxBudgetNanoUsd === null ? null : formatUsd(key.maxBudgetNanoUsd),
    spentUsd: formatUsd(key.spentNanoUsd),
    rpm: key.rpm,
    tpm: key.tpm,
    expiresAt: iso(key.expiresAt),
    createdAt: iso(key.createdAt),
    lastUsedAt: iso(key.lastUsedAt),
    revokedAt: iso(key.revokedAt),
  };
}

/** Masks a key: its first characters and last four. */
export function maskedKey(key: { prefix: string; last4: string }): string {
  return `${key.prefix}…${key.last4}`;
}

export function keyText(key: KeyOverview, nowMs: number): string {
  return formatFacts([
    ['Key', key.id],
    ['Name', key.name],
    ['Account', key.accountEmail],
    ['Masked', maskedKey(key)],
    ['State', key.revokedAt === null ? keyState(key, nowMs) : `revoked ${moment(key.revokedAt)}`],
    ...tagFacts(key),
    ...scopeFacts(key),
    ['Spent', usd(key.spentNanoUsd)],
    ['Created', moment(key.createdAt)],
    ['Last used', key.lastUsedAt === null ? 'never' : moment(key.lastUsedAt)],
  ]);
}

type ScopeFields = Pick<KeyOverview, 'allowedModels' | 'maxBudgetNanoUsd' | 'rpm' | 'tpm' | 'expiresAt'>;

/** Facts that cannot change after the key is created. */
function scopeFacts(key: ScopeFields): (readonly [string, string])[] {
  return [
    ['Models', key.allowedModels?.join(', ') ?? 'all'],
    ['Max budget', key.maxBudgetNanoUsd === null ? 'none' : usd(key.maxBudgetNanoUsd)],
    ['RPM', key.rpm === null ? 'no limit' : whole(key.rpm)],
    ['TPM', key.tpm === null ? 'no limit' : whole(key.tpm)],
    ['Expires', key.expiresAt === null ? 'never' : moment(key.expiresAt)],
  ];
}

/** Shows a new key with its secret, the only time. */
export function newKeyText(
  key: Pick<KeyOverview, 'id' | 'name' | 'tags'> & ScopeFields,
  secret: string,
): string {
  const facts = formatFacts([['Key', key.id], ['Name', key.name], ...tagFacts(key), ...scopeFacts(key)]);
  return `${secret}\n\nThis key is shown only once. Set it for your client:\n  export SERVICE_API_KEY=${secret}\n\n${facts}`;
}

function tagFacts({ tags }: Pick<KeyOverview, 'tags'>): (readonly [string, string])[] {
  return tags.length === 0 ? [] : [['Tags', tags.join(', ')]];
}
