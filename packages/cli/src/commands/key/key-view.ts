import { formatUsd } from '@tollgate/core/money/money';
import type { KeyScopeField } from '@tollgate/core/keys/key-scope';
import type { KeyOverview } from '@tollgate/db/queries/keys/key-overview';
import type { StoredScope } from '@tollgate/db/queries/keys/scope-columns';
import { iso, limitText, moment, usd } from '../../output/format.ts';
import { formatFacts } from '../../output/table.ts';

interface FieldView {
  /** Its member in JSON, and the value there. */
  member: string;
  value: (key: StoredScope) => unknown;
  /** Its line in text. */
  label: string;
  text: (key: StoredScope) => string;
}

/** How each field of the scope is shown. The name is among the first lines of a key. */
const SCOPE_VIEWS: Record<Exclude<KeyScopeField, 'name'>, FieldView> = {
  allowedModels: {
    member: 'models',
    value: (key) => key.allowedModels,
    label: 'Models',
    text: (key) => key.allowedModels?.join(', ') ?? 'all',
  },
  maxBudgetUsd: {
    member: 'maxBudgetUsd',
    value: (key) => (key.maxBudgetNanoUsd === null ? null : formatUsd(key.maxBudgetNanoUsd)),
    label: 'Max budget',
    text: (key) => (key.maxBudgetNanoUsd === null ? 'none' : usd(key.maxBudgetNanoUsd)),
  },
  rpm: { member: 'rpm', value: (key) => key.rpm, label: 'RPM', text: (key) => limitText(key.rpm) },
  tpm: { member: 'tpm', value: (key) => key.tpm, label: 'TPM', text: (key) => limitText(key.tpm) },
  expiresAt: {
    member: 'expiresAt',
    value: (key) => iso(key.expiresAt),
    label: 'Expires',
    text: (key) => (key.expiresAt === null ? 'never' : moment(key.expiresAt)),
  },
};

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
    ...Object.fromEntries(Object.values(SCOPE_VIEWS).map(({ member, value }) => [member, value(key)])),
    spentUsd: formatUsd(key.spentNanoUsd),
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

/** Facts that cannot change after the key is created. */
function scopeFacts(key: StoredScope): (readonly [string, string])[] {
  return Object.values(SCOPE_VIEWS).map(({ label, text }) => [label, text(key)]);
}

/** Shows a new key with its secret, the only time. */
export function newKeyText(
  key: Pick<KeyOverview, 'id' | 'name' | 'tags'> & StoredScope,
  secret: string,
): string {
  const facts = formatFacts([['Key', key.id], ['Name', key.name], ...tagFacts(key), ...scopeFacts(key)]);
  return `${secret}\n\nThis key is shown only once. Set it for your client:\n  export SERVICE_API_KEY=${secret}\n\n${facts}`;
}

function tagFacts({ tags }: Pick<KeyOverview, 'tags'>): (readonly [string, string])[] {
  return tags.length === 0 ? [] : [['Tags', tags.join(', ')]];
}
