import { expect, it } from 'vitest';
import { getKeyState } from './key-state.ts';

const NOW_MS = Date.parse('2026-11-20T16:05:00Z');
const inDays = (days: number) => new Date(NOW_MS + days * 86_400_000).toISOString();
const key = { revokedAt: null, expiresAt: null, lastUsedAt: inDays(-1) };

it.each([
  ['active', key],
  ['unused', { ...key, lastUsedAt: null }],
  ['active', { ...key, expiresAt: inDays(8) }],
  ['expiring', { ...key, expiresAt: inDays(6.9) }],
  ['expired', { ...key, expiresAt: inDays(0) }],
  ['revoked', { ...key, expiresAt: inDays(-1), revokedAt: inDays(-2) }],
] as const)('returns the state %s', (state, row) => {
  expect(getKeyState(row, NOW_MS)).toBe(state);
});
