import type { WindowsAnswer } from '@tollgate/core/runtime/replica-asks';
import {
  findKeyLimits,
  readLastMinute,
  type KeyLimits,
  type MinuteLimits,
} from '@tollgate/db/queries/keys/key-limits';
import type { Deps } from '../deps.ts';
import { sumWindows, type UsedPair, type UsedWindow } from '../live/sum-windows.ts';

/** A limit per minute and its usage. */
export interface Gauge {
  /** null: there is none. */
  limit: number | null;
  /** In the last 60 seconds; null: unknown. */
  used: number | null;
  /** Time until the full limit is available without further requests; null: unknown, or no limit. */
  freeInMs: number | null;
}

export interface GaugePair {
  requests: Gauge;
  tokens: Gauge;
}

/** How the limits of a key stand now. */
export interface KeyWindows {
  key: GaugePair;
  /** Of the plan, over all keys of the account. */
  plan: GaugePair & { id: string };
  /** By whom they are kept; null: unknown. */
  keptBy: WindowsAnswer['keptBy'] | null;
  /** API replicas that responded, and live replicas that did not. */
  processes: { responded: number; missing: number };
  /** What is used without a limit counts no more requests than that; false: it is exact. */
  isCutShort: boolean;
}

/** @returns null if the account has no such key */
export async function readKeyWindows(
  { db, live }: Pick<Deps, 'db' | 'live'>,
  { accountId, keyId }: { accountId: string; keyId: string },
): Promise<KeyWindows | null> {
  const limits = await findKeyLimits(db, { accountId, keyId });
  if (limits === null) return null;
  const { key, plan } = limits;
  const [asked, lastMinute] = await Promise.all([
    isLimited(key) || isLimited(plan) ? live.asker.windows(toOwners(accountId, keyId, limits)) : [],
    key.rpm === null || key.tpm === null ? readLastMinute(db, keyId) : null,
  ]);
  const answers = asked.flatMap(({ answer }) => (answer === null ? [] : [answer]));
  const counted = answers.filter(({ isCountedElsewhere }) => isCountedElsewhere !== true);
  const used = sumWindows(counted);
  return {
    key: {
      requests: toGauge(key.rpm, used?.key.requests, lastMinute?.requests),
      tokens: toGauge(key.tpm, used?.key.tokens, lastMinute?.tokens),
    },
    plan: { id: plan.id, ...toGauges(plan, used?.account) },
    keptBy: used?.keptBy ?? null,
    processes: {
      responded: counted.length,
      // Where Redis keeps them, no one else was waited for.
      missing: used?.keptBy === 'redis' ? 0 : asked.filter(({ state }) => state === 'unresponsive').length,
    },
    isCutShort: lastMinute?.isMore ?? false,
  };
}

function isLimited({ rpm, tpm }: MinuteLimits): boolean {
  return rpm !== null || tpm !== null;
}

function toOwners(accountId: string, keyId: string, { key, plan }: KeyLimits) {
  return { accountId, keyId, key, account: { rpm: plan.rpm, tpm: plan.tpm } };
}

function toGauges({ rpm, tpm }: MinuteLimits, used: UsedPair | undefined): GaugePair {
  return { requests: toGauge(rpm, used?.requests), tokens: toGauge(tpm, used?.tokens) };
}

/** @param recorded usage if there is no limit */
function toGauge(limit: number | null, reported: UsedWindow | null | undefined, recorded?: number): Gauge {
  if (limit === null) return { limit, used: recorded ?? null, freeInMs: null };
  return { limit, used: reported?.used ?? null, freeInMs: reported?.freeInMs ?? null };
}
