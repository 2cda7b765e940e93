import type { KeyDetail, KeySummary } from '@tollgate/db/queries/keys/key-summary';

/** A key as lists show it. Amounts are nano-dollars in decimal, times are ISO 8601. */
export interface KeyRow {
  id: string;
  name: string;
  prefix: string;
  last4: string;
  allowedModels: string[] | null;
  /** As it was fixed; null: no cap of its own. */
  maxBudgetNanoUsd: string | null;
  /** What this key can spend in all: the budget less what its predecessor or its successor has of it. */
  shareNanoUsd: string | null;
  /** By this key alone. */
  spentNanoUsd: string;
  rpm: number | null;
  tpm: number | null;
  /** When it stops automatically: its expiry, or its end where it was replaced and that is sooner. */
  expiresAt: string | null;
  createdAt: string;
  revokedAt: string | null;
  lastUsedAt: string | null;
  tags: string[];
  /** The key whose place this one takes. */
  successorOf: string | null;
  /** The key that takes its place. */
  replacedBy: string | null;
  last7Days: { requests: number; costNanoUsd: string };
}

/** A key as its own page shows it. */
export interface KeyView extends KeyRow {
  /** By requests in progress. */
  heldNanoUsd: string;
  /** The email of who made it; null: the command line, or someone who is gone. */
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
