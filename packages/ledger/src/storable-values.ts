import type { NanoUsd } from '@tollgate/core/money/money';

const MAX_COUNT = 2_147_483_647;
/** One billion dollars: sums of many amounts stay within 64 bits. */
const MAX_COST: NanoUsd = 1_000_000_000_000_000_000n;

export function boundCount(count: number): number {
  if (!(count > 0)) return 0;
  return count >= MAX_COUNT ? MAX_COUNT : Math.ceil(count);
}

export function boundTime(timeMs: number | null): number | null {
  return timeMs === null ? null : boundCount(timeMs);
}

export function boundCost(cost: NanoUsd): NanoUsd {
  if (cost < 0n) return 0n;
  return cost > MAX_COST ? MAX_COST : cost;
}
