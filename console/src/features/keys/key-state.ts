import type { KeyRow } from '../../lib/trpc.ts';

const EXPIRING_MS = 7 * 24 * 60 * 60 * 1_000;

export type KeyState = 'active' | 'unused' | 'expiring' | 'expired' | 'revoked';

export const KEY_STATE_LABELS: Record<KeyState, string> = {
  active: 'Active',
  unused: 'Active, never used',
  expiring: 'Active, expires soon',
  expired: 'Expired',
  revoked: 'Revoked',
};

/** State of a key. A revoked key stays revoked after its expiry. */
export function getKeyState(
  key: Pick<KeyRow, 'revokedAt' | 'expiresAt' | 'lastUsedAt'>,
  nowMs: number,
): KeyState {
  if (key.revokedAt !== null) return 'revoked';
  const leftMs = key.expiresAt === null ? Infinity : Date.parse(key.expiresAt) - nowMs;
  if (leftMs <= 0) return 'expired';
  if (leftMs <= EXPIRING_MS) return 'expiring';
  return key.lastUsedAt === null ? 'unused' : 'active';
}

export function hasEnded(state: KeyState): boolean {
  return state === 'expired' || state === 'revoked';
}
