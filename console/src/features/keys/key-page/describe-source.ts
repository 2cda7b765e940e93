import { formatPlural } from '../../../lib/format/count.ts';
import type { KeyWindows } from '../../../lib/trpc.ts';

/**
 * From whom the figures are, where that is not plain: nobody has told, some have not, or several keep limits by themselves.
 * @param windows undefined: they were not read yet, or could not be
 */
export function describeSource(windows: KeyWindows | undefined, hasFailed: boolean): string | null {
  if (hasFailed) return 'How much is used could not be read. It is tried again by itself.';
  if (windows === undefined) return null;
  const { key, plan, keptBy, processes } = windows;
  const isLimited = [key, plan].some(
    ({ requests, tokens }) => requests.limit !== null || tokens.limit !== null,
  );
  if (!isLimited) return null;
  if (keptBy === null)
    return 'How much is used is not known at the moment: no process of the api has told. It is asked again by itself.';
  const missing =
    processes.mute === 0
      ? ''
      : ` ${formatPlural(processes.mute, 'process', 'processes')} of the api did not answer: what went through there is missing.`;
  if (keptBy === 'degraded')
    return `Limits are not shared at the moment: each process of the api keeps them by itself. The fullest is shown.${missing}`;
  if (keptBy === 'memory' && processes.told > 1)
    return `Added up over ${processes.told} processes of the api, each of which keeps the limits by itself.${missing}`;
  return missing === '' ? null : missing.trim();
}
