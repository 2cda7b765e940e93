import { formatFixed, formatTable } from '../table.ts';
import type { HostileResult } from './measure.ts';

export function formatHostile(results: readonly HostileResult[]): string {
  const rows = results.map(({ name, quiet, attacked, peakMb }) => [
    name,
    formatFixed(quiet.p50Ms, 1, ' ms'),
    formatFixed(quiet.p99Ms, 1, ' ms'),
    formatFixed(attacked.p50Ms, 1, ' ms'),
    formatFixed(attacked.p99Ms, 1, ' ms'),
    formatFixed(attacked.p99Ms - quiet.p99Ms, 1, ' ms'),
    formatFixed(peakMb, 0, ' MB'),
  ]);
  return formatTable([
    ['', 'quiet p50', 'quiet p99', 'attacked p50', 'attacked p99', 'rise p99', 'memory'],
    ...rows,
  ]);
}
