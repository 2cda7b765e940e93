import { formatPlural } from '../../../lib/format/count.ts';
import type { KeyWindows } from '../../../lib/trpc.ts';

/**
 * Explains the source of the figures if replicas did not respond or apply limits separately.
 * @param windows undefined while loading or after an error
 */
export function describeSource(windows: KeyWindows | undefined, hasFailed: boolean): string | null {
  if (hasFailed) return 'Current usage could not be loaded. Retrying automatically.';
  if (windows === undefined) return null;
  const { key, plan, keptBy, processes } = windows;
  const isLimited = [key, plan].some(
    ({ requests, tokens }) => requests.limit !== null || tokens.limit !== null,
  );
  if (!isLimited) return null;
  if (keptBy === null)
    return 'Current usage is unknown because no API replica responded. Retrying automatically.';
  const missing =
    processes.missing === 0
      ? ''
      : ` ${formatPlural(processes.missing, 'API replica')} did not respond. Usage there is missing.`;
  if (keptBy === 'degraded')
    return `Limits are not shared at the moment: each API replica applies them separately. The highest usage is shown.${missing}`;
  if (keptBy === 'memory' && processes.responded > 1)
    return `Total of ${processes.responded} API replicas, which apply the limits separately.${missing}`;
  return missing === '' ? null : missing.trim();
}
