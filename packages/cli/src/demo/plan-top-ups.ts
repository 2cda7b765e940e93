import type { NanoUsd } from '@tollgate/core/money/money';
import { HOUR_MS } from './rhythm.ts';

const NANO_USD_PER_CENT = 10_000_000n;
/** Top-up amounts in cents. */
const AMOUNTS = [500, 1_000, 2_000, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000];
/** Approximate number of top-ups in the month. */
const WANTED_TOP_UPS = 5n;

export interface TopUp {
  atMs: number;
  cents: number;
}

/**
 * Plans top-ups so that the balance never runs out: each is one hour before the hour that needs it.
 * @param hours cost per hour, in order
 */
export function planTopUps(hours: readonly { startMs: number; costNanoUsd: NanoUsd }[]): TopUp[] {
  const total = hours.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0n);
  const wanted = total / WANTED_TOP_UPS;
  const cents = AMOUNTS.find((amount) => BigInt(amount) * NANO_USD_PER_CENT >= wanted) ?? AMOUNTS.at(-1) ?? 0;
  const topUps: TopUp[] = [];
  let available = 0n;
  for (const { startMs, costNanoUsd } of hours) {
    while (available < costNanoUsd) {
      topUps.push({ atMs: startMs - HOUR_MS + topUps.length * 1_000, cents });
      available += BigInt(cents) * NANO_USD_PER_CENT;
    }
    available -= costNanoUsd;
  }
  return topUps;
}
