import type { KeyDetail, KeySummary } from '@tollgate/db/queries/keys/key-summary';
import type { JsonOf } from '../as-json.ts';

/** A key as lists show it, with every field of its scope. Amounts are nano-dollars in decimal, times are ISO 8601. */
export interface KeyRow extends JsonOf<Omit<KeySummary, 'carriedNanoUsd'>> {
  /** What this key can spend in all: the budget less the part that rotation left with, or moved to, another key. */
  shareNanoUsd: string | null;
}

/** A key as its own page shows it. */
export interface KeyView extends KeyRow {
  /** By requests in progress. */
  heldNanoUsd: string;
  /** The creator's email; null for the command line or a deleted user. */
  createdBy: string | null;
}

export function toKeyRow({ carriedNanoUsd, ...key }: KeySummary): KeyRow {
  const { maxBudgetNanoUsd } = key;
  return {
    ...key,
    maxBudgetNanoUsd: maxBudgetNanoUsd?.toString() ?? null,
    shareNanoUsd: maxBudgetNanoUsd === null ? null : (maxBudgetNanoUsd - carriedNanoUsd).toString(),
    spentNanoUsd: (key.spentNanoUsd - carriedNanoUsd).toString(),
    expiresAt: key.expiresAt?.toISOString() ?? null,
    createdAt: key.createdAt.toISOString(),
    revokedAt: key.revokedAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    last7Days: { requests: key.last7Days.requests, costNanoUsd: key.last7Days.costNanoUsd.toString() },
  };
}

export function toKeyView({ heldNanoUsd, createdBy, ...key }: KeyDetail): KeyView {
  return { ...toKeyRow(key), heldNanoUsd: heldNanoUsd.toString(), createdBy };
}
